import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import {
  changeAppointment,
  deleteMe,
  fetchAppointment,
  listAppointmentEvents,
  requestDesign,
} from '#contract/endpoints.ts';
import { insertAdminAction, listAdminActions } from '#server/database/admin_actions.ts';
import { insertServerErrors, listServerErrors } from '#server/database/server_errors.ts';
import { expireAppointment, loadAppointmentRow, takeNewNotices } from '#support/app_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  bookSlot,
  FILLED_FORM,
  findSlot,
  openTestApp,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const OTHER = { email: 'other@example.com' };
const HOUR = 3_600_000;

/** Books a slot and lets its hold expire. */
async function addExpiredHold(app: TestApp, artist: TestArtist, nth = 24) {
  const slot = await findSlot(app, artist, nth);
  const { id } = await bookSlot(app, artist, slot);
  await expireAppointment(app, id);
  return { id, slot };
}

/** Offers a slot to a new request and lets the offer expire. */
async function addExpiredOffer(app: TestApp, { username, token }: TestArtist, slot: object) {
  const { id } = await call(app.http(), requestDesign, {
    query: { username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
  await call(app.http(token), changeAppointment, { path: { appt_id: id }, body: slot });
  await expireAppointment(app, id);
  return id;
}

test('the minutely tasks expire an unconfirmed hold and mail its client once', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await addExpiredHold(app, artist);
  await takeNewNotices(app);
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'expired', occupies: false });
  expect(await takeNewNotices(app)).toEqual([`expired to ${ROSA}`]);
  await app.runMinutelyTasks();
  expect(await takeNewNotices(app)).toEqual([]);
});

test('an offer that a server of the earlier version stored as expired becomes an open request', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const offer = await addExpiredOffer(app, artist, await findSlot(app, artist));
  const other = await app.newArtist();
  const hold = await addExpiredHold(app, other);
  // As the earlier version did.
  await sql`UPDATE appointment_times SET occupies = false`.execute(app.database);
  await sql`UPDATE appointments SET status = 'expired', version = version + 1`.execute(
    app.database,
  );
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, offer)).toEqual({ status: 'requested', occupies: null });
  expect(await loadAppointmentRow(app, hold.id)).toEqual({ status: 'expired', occupies: false });
  const path = { appt_id: offer };
  expect((await call(artist.http, fetchAppointment, { path })).ended_offer).toMatchObject({
    what: 'offer_lapsed',
  });
  const { data } = await call(artist.http, listAppointmentEvents, { path });
  expect(data.at(-1)).toMatchObject({ by: 'system', what: 'offer_lapsed', to_start: null });
});

test('a time of its own without a service that this version stored as expired stays expired', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await addExpiredHold(app, artist);
  await app.runMinutelyTasks();
  // As a design with a time of its own, which has no service.
  await sql`UPDATE appointments SET service_id = NULL`.execute(app.database);
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'expired', occupies: false });
});

test('an expiry found concurrently by tasks of two servers and a booking is mailed once', async () => {
  const app = await openTestApp({ database: 'own' });
  const other = await app.openSecondServer();
  const artist = await app.newArtist();
  const { slot } = await addExpiredHold(app, artist);
  await addExpiredHold(app, artist, 30);
  await takeNewNotices(app);
  await Promise.all([
    app.runMinutelyTasks(),
    other.runMinutelyTasks(),
    requestSlot(other, artist, slot, OTHER),
    app.runMinutelyTasks(),
  ]);
  const notices = await takeNewNotices(app);
  expect(notices.filter((line) => line.startsWith('expired'))).toEqual([
    `expired to ${ROSA}`,
    `expired to ${ROSA}`,
  ]);
});

test('a failure to expire the holds of one artist does not affect other artists', async () => {
  const app = await openTestApp({ database: 'own' });
  const [failing, working] = [await app.newArtist(), await app.newArtist()];
  const first = await addExpiredHold(app, failing);
  const second = await addExpiredHold(app, working);
  await sql`ALTER TABLE appointments ADD CHECK (status <> 'expired' OR id <> ${sql.lit(first.id)})`.execute(
    app.database,
  );
  await app.runMinutelyTasks();
  expect(await loadAppointmentRow(app, second.id)).toMatchObject({ status: 'expired' });
  expect(await loadAppointmentRow(app, first.id)).toMatchObject({ status: 'held' });
  expect(app.logged.join()).toContain('Minutely tasks: Releasing expired holds failed');
  await vi.waitFor(async () => {
    const { rows } = await listServerErrors(app.database, 'job minute', { skip: 0, limit: 10 });
    expect(rows).toMatchObject([{ code: '23514' }]);
  });
});

test('mails are deleted after half a year, and those of a deleted artist once they are sent', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ viaSignup: true });
  const deleted = await app.newArtist();
  await bookSlot(app, deleted, await findSlot(app, deleted));
  await app.runJobs();
  await call(app.http(deleted.token), deleteMe);
  const listMailsAfterTasks = async () => {
    await app.runMinutelyTasks();
    const rows = await app.database
      .selectFrom('mails')
      .select(['notice', 'artist_id'])
      .orderBy('position')
      .execute();
    return rows.map(({ notice, artist_id }) => [notice.kind, artist_id]);
  };
  const welcome = ['welcome', artist.self.id];
  // The job of the cancellation drops the mail of the hold.
  const queued = [
    ['hold', null],
    ['cancelled', null],
    ['account_deleted', null],
  ];
  expect(await listMailsAfterTasks()).toEqual([welcome, ...queued]);
  await app.runJobs();
  expect(await listMailsAfterTasks()).toEqual([welcome]);
  const age = (days: number) =>
    app.database
      .updateTable('mails')
      .set({ settled_at: new Date(Date.now() - days * 24 * HOUR) })
      .execute();
  await age(179);
  expect(await listMailsAfterTasks()).toEqual([welcome]);
  await age(181);
  expect(await listMailsAfterTasks()).toEqual([]);
});

test('errors are deleted after 14 days, and actions of superusers after a year', async () => {
  const app = await openTestApp({ database: 'own' });
  const { self } = await app.newArtist();
  const now = Date.now();
  const page = { skip: 0, limit: 10 };
  const error = {
    ...{ requestId: 'abc-1', route: 'GET /', status: 500, name: 'Error', code: null },
    ...{ message: '', stack: '', happenedAt: now },
  };
  await insertServerErrors(app.database, [error]);
  const action = { superuserId: self.id, artistId: null, kind: 'account_deleted' } as const;
  await insertAdminAction(app.database, action);
  const countsAfterTasks = async (days: number) => {
    await app.runMinutelyTasks(now + days * 24 * HOUR);
    return [
      (await listServerErrors(app.database, undefined, page)).count,
      (await listAdminActions(app.database, page)).count,
    ];
  };
  expect(await countsAfterTasks(13)).toEqual([1, 1]);
  expect(await countsAfterTasks(15)).toEqual([0, 1]);
  expect(await countsAfterTasks(364)).toEqual([0, 1]);
  expect(await countsAfterTasks(366)).toEqual([0, 0]);
});
