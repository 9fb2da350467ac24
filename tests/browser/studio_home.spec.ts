import { expect, test } from '#support/browser.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { createPhoto } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { createDailySchedule } from '#support/sample_people.ts';

/** An artist as after signup: no booking type, hours or service. */
async function createNewArtist(): Promise<TestArtist> {
  const artist = await newSiteArtist({ scheduling_type: null, schedule: { weekly: [] } });
  await expectOk(callSite(`DELETE /services/${artist.service.id}`, { token: artist.token }));
  return artist;
}

async function addAvatar({ token }: TestArtist): Promise<void> {
  const body = new FormData();
  const { buffer, name } = await createPhoto('me.jpg');
  body.set('file', new Blob([new Uint8Array(buffer)]), name);
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${siteUrl()}/api/v1/users/me/avatar`, {
    method: 'PATCH',
    headers,
    body,
  });
  expect(response.status).toBe(200);
}

test('the checklist leads a new artist until bookings are open, and home shows a long message in full', async ({
  page,
}) => {
  const artist = await createNewArtist();
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

  await expectOk(
    callSite('PATCH /users/me/schedule', { token, json: createDailySchedule('10:00', '14:00') }),
  );
  await page.reload();
  await expect(next).toContainText('A service');
  await expectOk(callSite('POST /services', { token, json: { name: 'Flash', duration: 60 } }));
  await page.reload();
  await expect(next).toContainText('A picture of you');
  await addAvatar(artist);
  await page.reload();
  await expect(page.getByText('One step left.')).toBeVisible();
  await next.getByRole('link', { name: 'View your page' }).click();
  await page.waitForURL(`**/${username}/#studio`);
  await expect(page.getByText('This is your page as clients see it.')).toBeVisible();

  const message = `${'A line about the tattoo that I have in mind.\n'.repeat(30)}The end.`;
  const json = { name: 'Hana Sato', email: 'hana@example.com', message };
  await expectOk(callSite(`POST /users/artist/${username}/contact`, { json }));
  await page.getByRole('link', { name: 'Back to the studio' }).click();
  await expect(page.getByRole('heading', { name: 'You are open for bookings' })).toBeVisible();
  const text = page.getByRole('region', { name: 'Messages (1)' }).getByText('The end.');
  await expect(text).toBeVisible();
  expect(await text.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(false);
  await expect(page.getByRole('link', { name: `/${username}/` })).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Copy link').click();
  await expect(button(page, 'Copied')).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${siteUrl()}/${username}/`,
  );
});
