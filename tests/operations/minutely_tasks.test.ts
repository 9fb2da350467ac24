import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changeAppointment, confirmAppointment, requestDesign } from '#client/appointments.ts';
import { deleteMe } from '#client/artists.ts';
import { expireAppointment, loadAppointmentRow, takeNewNotices } from '#support/app_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const OTHER = { email: 'other@example.com' };
const HOUR = 3_600_000;

/** A slot that was picked and not confirmed in time. */
async function lapsedHold(app: TestApp, artist: TestArtist, nth = 24) {
  const slot = await findSlot(app, artist, nth);
  const { id } = await bookSlot(app, artist, slot);
  await expireAppointment(app, id);
  return { id, slot };
}

/** An offer that was not confirmed in time. */
async function lapsedOffer(app: TestApp, { username, token }: TestArtist, slot: object) {
  const { id } = await requestDesign(app.http(), username, FILLED_FORM, randomUUID());
  await changeAppointment(app.http(token), id, slot);
  await expireAppointment(app, id);
  return id;
}

test('a hold that lapsed is expired within the minute, and its client is told once', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await lapsedHold(app, artist);
  await takeNewNotices(app);
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'expired', occupies: false });
  expect(await takeNewNotices(app)).toEqual([`expired to ${ROSA}`]);
  await app.runMinutelyTasks();
  expect(await takeNewNotices(app)).toEqual([]);
});

test('an offer that lapsed is told to both', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  await lapsedOffer(app, artist, await findSlot(app, artist));
  await takeNewNotices(app);
  await app.runMinutelyTasks();
  expect(await takeNewNotices(app)).toEqual([
    `expired to ${ROSA}`,
    `offer_lapsed to ${artist.self.email}`,
  ]);
});

test('an expiry that the next booking finds is told then, and not again by the minute', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { slot } = await lapsedHold(app, artist);
  await takeNewNotices(app);
  await bookSlot(app, artist, slot, OTHER);
  expect(await takeNewNotices(app)).toEqual([`expired to ${ROSA}`, `hold to ${OTHER.email}`]);
  await app.runMinutelyTasks();
  expect(await takeNewNotices(app)).toEqual([]);
});

test('an expiry that an offer of the artist finds is told to both', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const slot = await findSlot(app, artist);
  await lapsedOffer(app, artist, slot);
  await takeNewNotices(app);
  await lapsedOffer(app, artist, slot);
  const expired = [`expired to ${ROSA}`, `offer_lapsed to ${artist.self.email}`];
  const asked = [`new_request to ${artist.self.email}`, `request_received to ${ROSA}`];
  expect(await takeNewNotices(app)).toEqual([...expired, ...asked, `offer to ${ROSA}`].sort());
});

test('an expiry is told once, whoever finds it in the same moment', async () => {
  const app = await openTestApp({ database: 'own' });
  const other = await app.openSecondServer();
  const artist = await app.newArtist();
  const { slot } = await lapsedHold(app, artist);
  await lapsedHold(app, artist, 30);
  await takeNewNotices(app);
  await Promise.all([
    app.runMinutelyTasks(),
    other.runMinutelyTasks(),
    requestSlot(other, artist, slot, OTHER),
    app.runMinutelyTasks(),
  ]);
  const news = await takeNewNotices(app);
  expect(news.filter((line) => line.startsWith('expired'))).toEqual([
    `expired to ${ROSA}`,
    `expired to ${ROSA}`,
  ]);
});

test('what has not lapsed yet stays', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await takeNewNotices(app);
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'held', occupies: true });
  await app.runMinutelyTasks(Date.now() + HOUR);
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'expired', occupies: false });
  expect(await takeNewNotices(app)).toEqual([`expired to ${ROSA}`]);
});

test('one that expired and is confirmed after all is booked as any other', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id, slot } = await lapsedHold(app, artist);
  await app.runMinutelyTasks();
  await takeNewNotices(app);
  await confirmAppointment(app.http(), id);
  expect(await takeNewNotices(app)).toEqual([
    `booked to ${ROSA}`,
    `new_booking to ${artist.self.email}`,
  ]);
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'confirmed', occupies: true });
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

test('the minute sweeps every artist, though one of them is stuck', async () => {
  const app = await openTestApp({ database: 'own' });
  const [stuck, well] = [await app.newArtist(), await app.newArtist()];
  const first = await lapsedHold(app, stuck);
  const second = await lapsedHold(app, well);
  await app.database
    .updateTable('appointments')
    .set({ version: 2_147_483_647 })
    .where('id', '=', first.id)
    .execute();
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, second.id)).toMatchObject({ status: 'expired' });
  expect(await loadAppointmentRow(app, first.id)).toMatchObject({ status: 'held' });
  expect(app.logged.join()).toContain('Lapsed holds were not released');
});

test('mails are kept for half a year, and none of an artist who is gone once it was sent', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ viaSignup: true });
  const gone = await app.newArtist();
  await bookSlot(app, gone, await findSlot(app, gone));
  await app.runJobs();
  await deleteMe(app.http(gone.token));
  const kept = async () => {
    await app.runMinutelyTasks();
    const rows = await app.database
      .selectFrom('mails')
      .select(['notice', 'artist_id'])
      .orderBy('created_at')
      .execute();
    return rows.map(({ notice, artist_id }) => [notice.kind, artist_id]);
  };
  const welcome = ['welcome', artist.self.id];
  expect(await kept()).toEqual([welcome, ['cancelled', null]]);
  await app.runJobs();
  expect(await kept()).toEqual([welcome]);
  const age = (days: number) =>
    app.database
      .updateTable('mails')
      .set({ settled_at: new Date(Date.now() - days * 24 * HOUR) })
      .execute();
  await age(179);
  expect(await kept()).toEqual([welcome]);
  await age(181);
  expect(await kept()).toEqual([]);
});
