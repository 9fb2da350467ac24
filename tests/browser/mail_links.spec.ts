import { expect, test } from '#support/browser.ts';
import { button, scriptsDone } from '#support/browser_booking.ts';
import { linkIn, mailAbout } from '#support/browser_mail.ts';
import { bookSlot, call, change, openDays } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const CONFIRMATION = /^\/confirmation\//;

/** Somebody who has never been here picks a time. */
async function pick(artist: TestArtist): Promise<{ id: string; email: string }> {
  const [slot] = (await openDays(artist))[0]?.windows ?? [];
  if (!slot) throw new Error('No open days');
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(bookSlot(artist, slot, { email }));
  return { id, email };
}

async function statusOf({ token }: TestArtist, id: string): Promise<string> {
  return (await expectOk(call<{ status: string }>(`GET /appointments/${id}`, { token }))).status;
}

test('a client confirms from the mail: its link opens a page, and the button there books', async ({
  page,
  artist,
}) => {
  const { id, email } = await pick(artist);
  const path = linkIn(await mailAbout(email, /^Please confirm/), CONFIRMATION);
  await page.goto(path);
  await scriptsDone(page);
  await expect(page).toHaveURL(new RegExp(`/${artist.username}/confirmation/${id}/?$`));
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  expect(await statusOf(artist, id)).toBe('held');

  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  expect(await statusOf(artist, id)).toBe('confirmed');

  const booked = await mailAbout(email, /^Booked/);
  expect(booked.attachments.map(({ filename }) => filename)).toContainEqual(
    expect.stringMatching(/\.ics$/),
  );
  await page.goto(linkIn(booked, CONFIRMATION));
  await scriptsDone(page);
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  expect(await statusOf(artist, id)).toBe('confirmed');
});

test('what scans mail and follows its links changes nothing', async ({ request, artist }) => {
  const { id, email } = await pick(artist);
  const mail = await mailAbout(email, /^Please confirm/);
  const links = new Set(`${mail.text} ${mail.html}`.match(/https?:\/\/[^\s"'<>)]+/g));
  expect(links.size).toBeGreaterThan(0);
  for (const link of links) {
    const { pathname, search } = new URL(link);
    expect((await request.get(pathname + search)).ok()).toBe(true);
    expect((await request.head(pathname + search)).ok()).toBe(true);
  }
  expect(await statusOf(artist, id)).toBe('held');
});

test('the link of a mail still leads there once the artist has another username', async ({
  page,
  artist,
}) => {
  const { id, email } = await pick(artist);
  const path = linkIn(await mailAbout(email, /^Please confirm/), CONFIRMATION);
  const username = `new-${crypto.randomUUID().slice(0, 13)}`;
  await expectOk(call('PATCH /users/me', { token: artist.token, json: { username } }));
  await page.goto(path);
  await expect(page).toHaveURL(new RegExp(`/${username}/confirmation/${id}/?$`));
});

test('an offer is confirmed from its mail', async ({ page, managedArtist }) => {
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(
    call<{ id: string }>(`POST /appointments/request/design?username=${managedArtist.username}`, {
      json: { email, first_name: 'Rosa', design_id: null },
    }),
  );
  await mailAbout(email, /^Your request/);
  const [day] = await openDays(managedArtist);
  await change(managedArtist.token, id, { ...day?.windows[0] });
  await page.goto(linkIn(await mailAbout(email, /^A time for you/), CONFIRMATION));
  await scriptsDone(page);
  expect(await statusOf(managedArtist, id)).toBe('offered');
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  expect(await statusOf(managedArtist, id)).toBe('confirmed');
});
