import { expect, test } from '#support/browser.ts';
import { enter, timeFrom } from '#support/browser_appointments.ts';
import { addDesigns, aPhoto } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { siteUrl } from '#support/browser_server.ts';
import { askFor, bookSlot, call, newArtist, openDays } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openDaily } from '#support/rosa.ts';

const MINUTE = 60_000;

/** Someone who has just signed up. */
async function newcomer(): Promise<TestArtist> {
  const artist = await newArtist({ scheduling_type: null, schedule: { weekly: [] } });
  await expectOk(call(`DELETE /services/${artist.service.id}`, { token: artist.token }));
  return artist;
}

async function addAvatar({ token }: TestArtist): Promise<void> {
  const body = new FormData();
  const { buffer, name } = await aPhoto('me.jpg');
  body.set('file', new Blob([new Uint8Array(buffer)]), name);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${siteUrl()}/api/v1/users/me/avatar`, {
    method: 'PATCH',
    headers,
    body,
  });
  expect(answer.status).toBe(200);
}

test('the checklist leads from nothing to open for bookings', async ({ page }) => {
  const artist = await newcomer();
  const { token, username } = artist;
  await logInAs(page, artist);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Hello, Ines' })).toBeVisible();
  const next = page.getByRole('listitem').filter({ hasText: 'Next:' });
  await expect(next).toContainText('How clients book');
  await page.getByRole('button', { name: /^Choose this.*Clients book/ }).click();
  await expect(page.getByText('They book open times themselves.')).toBeVisible();
  await expect(next).toContainText('Opening hours');
  await expect(page.getByRole('link', { name: 'Set your hours' })).toHaveAttribute(
    'href',
    '/studio/hours',
  );

  await expectOk(call('PATCH /users/me/schedule', { token, json: openDaily('10:00', '14:00') }));
  await page.reload();
  await expect(next).toContainText('A service');
  await expectOk(call('POST /services', { token, json: { name: 'Flash', duration: 60 } }));
  await page.reload();
  await expect(next).toContainText('A picture of you');
  await addAvatar(artist);
  await page.reload();
  await expect(page.getByText('One step left.')).toBeVisible();
  await next.getByRole('link', { name: 'View your page' }).click();
  await page.waitForURL(`**/${username}/`);

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'You are open for bookings' })).toBeVisible();
  await expect(page.getByRole('link', { name: `/${username}/` })).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Copy link').click();
  await expect(button(page, 'Copied')).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${siteUrl()}/${username}/`,
  );
});

test('who sets the times themselves needs designs, and may change their mind', async ({ page }) => {
  const artist = await newcomer();
  await logInAs(page, artist);
  await page.goto('/');
  await page.getByRole('button', { name: /^Choose this.*Clients send/ }).click();
  const next = page.getByRole('listitem').filter({ hasText: 'Next:' });
  await expect(next).toContainText('A design');
  await addDesigns(artist, ['Swallow']);
  await page.reload();
  await expect(next).toContainText('A picture of you');

  await button(page, 'Change how clients book').click();
  await page.getByRole('button', { name: /^Choose this.*Clients book/ }).click();
  await expect(next).toContainText('Opening hours');
});

test('today is told first, and what nobody confirmed yet is said to be so', async ({
  page,
  artist,
}) => {
  const start = Math.ceil(Date.now() / MINUTE) * MINUTE;
  await enter(artist.token, timeFrom(start, 5), { first_name: 'Otto', last_name: 'Brandt' });
  const day = (await openDays(artist))[0];
  const slot = day?.windows[0];
  if (!slot) throw new Error('Nothing is open');
  await bookSlot(artist, slot);

  await logInAs(page, artist);
  await page.goto('/');
  const days = page.getByRole('region', { name: 'Today and the week ahead' });
  await expect(days.getByText('Times in America/New_York')).toBeVisible();
  await expect(days.getByRole('heading', { level: 3 }).first()).toHaveText(/^Today, /);
  await expect(days.getByRole('link', { name: /Otto Brandt.*Confirmed/ })).toBeVisible();
  const held = days.getByRole('link', { name: /Rosa Quint.*Picked, not confirmed yet/ });
  await held.click();
  await expect(page.getByRole('heading', { name: 'Rosa Quint', level: 2 })).toBeVisible();
});

test('requests that wait are counted, and the newest lead to their answer', async ({
  page,
  managedArtist,
}) => {
  for (const first_name of ['Ada', 'Bea', 'Cem', 'Dov'])
    await askFor(managedArtist.username, { first_name, email: `${first_name}@example.com` });
  await logInAs(page, managedArtist);
  await page.goto('/');
  const waiting = page.getByRole('region', { name: 'Requests waiting (4)' });
  await expect(waiting.getByRole('listitem')).toHaveCount(3);
  await expect(waiting.getByRole('listitem').first()).toContainText('Dov Quint');
  await waiting.getByRole('link', { name: /Dov Quint/ }).click();
  await expect(button(page, 'Offer a time')).toBeVisible();
});

test('a visitor’s message is read, answered by mail and deleted at home', async ({
  page,
  artist,
}) => {
  const { username } = artist;
  await logInAs(page, artist);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Today and the week ahead' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Messages/ })).toHaveCount(0);
  await expectOk(
    call(`POST /users/artist/${username}/contact`, {
      json: { name: 'Hana Sato', email: 'hana@example.com', message: 'Do you do cover-ups?' },
    }),
  );
  await page.reload();
  const messages = page.getByRole('region', { name: 'Messages (1)' });
  await expect(messages.getByText('Do you do cover-ups?')).toBeVisible();
  await expect(messages.getByRole('link', { name: 'Reply to Hana Sato' })).toHaveAttribute(
    'href',
    /^mailto:hana%40example\.com\?/,
  );
  await button(page, 'Delete the message of Hana Sato').click();
  await button(page, 'Delete message').click();
  await expect(messages).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Today and the week ahead' })).toBeVisible();
  await expect(messages).toHaveCount(0);
});

test('a long message is read to its end, and messages that could not be read are asked for again', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectTrouble(/users\/me\/messages.*ERR_FAILED/);
  const message = `${'A line about the tattoo that I have in mind.\n'.repeat(30)}The end.`;
  await expectOk(
    call(`POST /users/artist/${artist.username}/contact`, {
      json: { name: 'Hana Sato', email: 'hana@example.com', message },
    }),
  );
  await logInAs(page, artist);
  await page.route(/\/users\/me\/messages/, (route) => route.abort());
  await page.goto('/');
  const messages = page.getByRole('region', { name: /^Messages/ });
  await expect(messages.getByRole('alert')).toContainText('The messages could not be loaded.');
  await page.unroute(/\/users\/me\/messages/);
  await messages.getByRole('button', { name: 'Try again' }).click();
  await expect(messages.getByText('The end.')).toBeVisible();
  const text = messages.getByText('A line about the tattoo');
  expect(await text.evaluate((shown) => shown.scrollHeight > shown.clientHeight)).toBe(false);
});

test('home fits on every screen', async ({ page }) => {
  const artist = await newcomer();
  await logInAs(page, artist);
  await page.goto('/');
  await expect(
    page.getByRole('heading', { name: 'Get ready for your first booking' }),
  ).toBeVisible();
  await expectFits(page);
});

test('where nobody pays nothing tells of billing', async ({ page, artist }) => {
  await logInAs(page, artist);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Requests waiting' })).toBeVisible();
  await expect(page.locator('a[href="/studio/billing"]')).toHaveCount(0);
});
