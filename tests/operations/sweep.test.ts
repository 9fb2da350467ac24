import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changeAppointment, confirmAppointment, requestDesign } from '#client/appointments.ts';
import { deleteMe } from '#client/artists.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { lapse, newsOf, storedAppointment } from '#support/rows.ts';
import {
  aSlot,
  FILLED_FORM,
  listedSlots,
  openTestApp,
  pickSlot,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const OTHER = { email: 'other@example.com' };
const HOUR = 3_600_000;

/** A slot that was picked and not confirmed in time. */
async function lapsedHold(studio: TestApp, artist: TestArtist, nth = 24) {
  const slot = await aSlot(studio, artist, nth);
  const { id } = await pickSlot(studio, artist, slot);
  await lapse(studio, id);
  return { id, slot };
}

/** An offer that was not confirmed in time. */
async function lapsedOffer(studio: TestApp, { username, token }: TestArtist, slot: object) {
  const { id } = await requestDesign(studio.http(), username, FILLED_FORM, randomUUID());
  await changeAppointment(studio.http(token), id, slot);
  await lapse(studio, id);
  return id;
}

test('a hold that lapsed is expired within the minute, and its client is told once', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { id } = await lapsedHold(studio, artist);
  await newsOf(studio);
  await studio.minute();
  expect(await storedAppointment(studio, id)).toEqual({ status: 'expired', occupies: false });
  expect(await newsOf(studio)).toEqual([`expired to ${ROSA}`]);
  await studio.minute();
  expect(await newsOf(studio)).toEqual([]);
});

test('an offer that lapsed is told to both', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ scheduling_type: 'managed' });
  await lapsedOffer(studio, artist, await aSlot(studio, artist));
  await newsOf(studio);
  await studio.minute();
  expect(await newsOf(studio)).toEqual([
    `expired to ${ROSA}`,
    `offer_lapsed to ${artist.self.email}`,
  ]);
});

test('an expiry that the next booking finds is told then, and not again by the minute', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { slot } = await lapsedHold(studio, artist);
  await newsOf(studio);
  await pickSlot(studio, artist, slot, OTHER);
  expect(await newsOf(studio)).toEqual([`expired to ${ROSA}`, `hold to ${OTHER.email}`]);
  await studio.minute();
  expect(await newsOf(studio)).toEqual([]);
});

test('an expiry that an offer of the artist finds is told to both', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const slot = await aSlot(studio, artist);
  await lapsedOffer(studio, artist, slot);
  await newsOf(studio);
  await lapsedOffer(studio, artist, slot);
  const expired = [`expired to ${ROSA}`, `offer_lapsed to ${artist.self.email}`];
  const asked = [`new_request to ${artist.self.email}`, `request_received to ${ROSA}`];
  expect(await newsOf(studio)).toEqual([...expired, ...asked, `offer to ${ROSA}`].sort());
});

test('an expiry is told once, whoever finds it in the same moment', async () => {
  const studio = await openTestApp({ database: 'own' });
  const other = await studio.another();
  const artist = await studio.artist();
  const { slot } = await lapsedHold(studio, artist);
  await lapsedHold(studio, artist, 30);
  await newsOf(studio);
  await Promise.all([
    studio.minute(),
    other.minute(),
    requestSlot(other, artist, slot, OTHER),
    studio.minute(),
  ]);
  const news = await newsOf(studio);
  expect(news.filter((line) => line.startsWith('expired'))).toEqual([
    `expired to ${ROSA}`,
    `expired to ${ROSA}`,
  ]);
});

test('what has not lapsed yet stays', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { id } = await pickSlot(studio, artist, await aSlot(studio, artist));
  await newsOf(studio);
  await studio.minute();
  expect(await storedAppointment(studio, id)).toEqual({ status: 'held', occupies: true });
  await studio.minute(Date.now() + HOUR);
  expect(await storedAppointment(studio, id)).toEqual({ status: 'expired', occupies: false });
  expect(await newsOf(studio)).toEqual([`expired to ${ROSA}`]);
});

test('one that expired and is confirmed after all is booked as any other', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { id, slot } = await lapsedHold(studio, artist);
  await studio.minute();
  await newsOf(studio);
  await confirmAppointment(studio.http(), id);
  expect(await newsOf(studio)).toEqual([
    `booked to ${ROSA}`,
    `new_booking to ${artist.self.email}`,
  ]);
  await studio.minute();
  expect(await storedAppointment(studio, id)).toEqual({ status: 'confirmed', occupies: true });
  expect(await listedSlots(studio, artist)).not.toContainEqual(slot);
});

test('the minute sweeps every artist, though one of them is stuck', async () => {
  const studio = await openTestApp({ database: 'own' });
  const [stuck, well] = [await studio.artist(), await studio.artist()];
  const first = await lapsedHold(studio, stuck);
  const second = await lapsedHold(studio, well);
  await studio.database
    .updateTable('appointments')
    .set({ version: 2_147_483_647 })
    .where('id', '=', first.id)
    .execute();
  await studio.minute();
  expect(await storedAppointment(studio, second.id)).toMatchObject({ status: 'expired' });
  expect(await storedAppointment(studio, first.id)).toMatchObject({ status: 'held' });
  expect(studio.logged.join()).toContain('Lapsed holds were not released');
});

test('mails are kept for half a year, and none of an artist who is gone once it was sent', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ signsUp: true });
  const gone = await studio.artist();
  await pickSlot(studio, gone, await aSlot(studio, gone));
  await studio.work();
  await deleteMe(studio.http(gone.token));
  const kept = async () => {
    await studio.minute();
    const rows = await studio.database
      .selectFrom('mails')
      .select(['notice', 'artist_id'])
      .orderBy('created_at')
      .execute();
    return rows.map(({ notice, artist_id }) => [notice.kind, artist_id]);
  };
  const welcome = ['welcome', artist.self.id];
  expect(await kept()).toEqual([welcome, ['cancelled', null]]);
  await studio.work();
  expect(await kept()).toEqual([welcome]);
  const age = (days: number) =>
    studio.database
      .updateTable('mails')
      .set({ settled_at: new Date(Date.now() - days * 24 * HOUR) })
      .execute();
  await age(179);
  expect(await kept()).toEqual([welcome]);
  await age(181);
  expect(await kept()).toEqual([]);
});
