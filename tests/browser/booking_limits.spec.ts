import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  callSite,
  FILLED_FORM,
  listOpenDays,
  newSiteArtist,
  type Slot,
} from '#support/browser_api.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button, openFilledForm } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveOtherSite } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

// A site with its limits on.
test.describe.configure({ mode: 'default', timeout: 90_000 });
let stop: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  stop = await serveOtherSite({ RATE_LIMIT: 'on' });
});
test.afterAll(() => stop());

async function listSlots(artist: TestArtist): Promise<readonly Slot[]> {
  return (await listOpenDays(artist)).flatMap(({ windows }) => windows);
}

/** Books as other clients of the same network do. */
async function bookSlots(artist: TestArtist, slots: readonly Slot[]): Promise<void> {
  for (const [n, slot] of slots.entries())
    await expectOk(bookSiteSlot(artist, slot, { email: `client-${n}@example.com` }));
}

test('the fourth client of a network books with a proof of work, whose code is loaded only then', async ({
  page,
  watch,
}) => {
  const artist = await newSiteArtist();
  const slots = await listSlots(artist);
  await bookSlots(artist, slots.slice(0, 3));
  const [day] = (await listOpenDays(artist)).slice(3);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  expect(scripts.filter((url) => url.includes('proof_of_work'))).toEqual([]);
  const sent: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(performance.now());
  });
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 429$/);
  await button(page, 'Save').click();
  await expect(page.getByText('a quick check against spam')).toBeVisible();
  await expect(page).toHaveURL(/\/confirmation\//);
  const [first = 0, second = 0] = sent;
  expect(sent).toHaveLength(2);
  console.log(`Proof of work, 4 times slower, with the refusal: ${Math.round(second - first)} ms`);
  expect(scripts.filter((url) => url.includes('proof_of_work'))).toHaveLength(1);
});

test('with "Confirm by mail" the page asks for the mail, and the mailed link confirms', async ({
  page,
}) => {
  const artist = await newSiteArtist();
  await logInAs(page, artist);
  await page.goto('/studio/profile#booking');
  await page.getByLabel('Confirm by mail').check();
  await button(page, 'Save how clients book').click();
  await expect(successToast(page, 'Saved.')).toBeVisible();
  const [slot] = await listSlots(artist);
  if (!slot) throw new Error('No open days');
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
  await page.goto(`/${artist.username}/confirmation/${id}`);
  const heading = page.getByRole('heading', { name: 'One more step: look into your mail.' });
  await expect(heading).toBeVisible();
  await expect(button(page, 'Confirm Appointment')).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(findLinkPath(await waitForMail(email, /^Please confirm/), /^\/confirmation\//));
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  await page.goto(`/studio/appointments?id=${id}`);
  await expect(page.getByText('Email proven', { exact: true })).toBeVisible();
});

test('the studio warns of a batch of unproven bookings, and cancels it after a question', async ({
  page,
}) => {
  const artist = await newSiteArtist();
  const slots = (await listSlots(artist)).slice(0, 3);
  await bookSlots(artist, slots);
  // Twenty bookings of different networks, as the alarm stores them.
  await runStatement(
    `WITH alarm AS (
      INSERT INTO booking_alarms (artist_id, since, until)
      VALUES ($1, now() - interval '1 hour', now()) RETURNING id
    ) UPDATE appointments SET alarm_id = alarm.id FROM alarm WHERE artist_id = $1`,
    [artist.self.id],
  );
  await logInAs(page, artist);
  await page.goto('/studio/appointments');
  const banner = page.getByRole('alert').filter({ hasText: 'Unusually many bookings' });
  await expect(banner).toContainText('3 bookings from 1 network');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Look at them' }).click();
  await expect(page.getByText('Email not proven')).toHaveCount(3);
  await button(page, 'Cancel all 3…').click();
  await button(page, 'Cancel all 3').click();
  await expect(successToast(page, '3 cancelled.')).toBeVisible();
  await expect(banner).toHaveCount(0);
  const { data } = await expectOk(
    callSite<{ data: { status: string }[] }>('GET /appointments/', { token: artist.token }),
  );
  expect(data.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  const listed = await listSlots(artist);
  expect(slots.every(({ start }) => listed.some((slot) => slot.start === start))).toBe(true);
});

test('an unwanted booking’s sender is blocked from it, and unblocked in the profile', async ({
  page,
}) => {
  const artist = await newSiteArtist();
  const [slot, other] = await listSlots(artist);
  if (!slot || !other) throw new Error('No open days');
  const email = 'pest@example.com';
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
  await logInAs(page, artist);
  await page.goto(`/studio/appointments?id=${id}`);
  await page.getByText('Not a real client?').click();
  await button(page, 'Block this address').click();
  await expect(successToast(page, 'Blocked.')).toBeVisible();
  expect((await bookSiteSlot(artist, other, { email })).status).toBe(403);
  await page.goto('/studio/profile#blocked');
  await button(page, 'Unblock… p•••@example.com').click();
  await button(page, 'Unblock').click();
  await expect(page.getByText('Nobody is blocked.')).toBeVisible();
  expect((await bookSiteSlot(artist, other, { email })).status).toBe(201);
});
