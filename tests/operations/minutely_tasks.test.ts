import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import { deleteMe } from '#contract/endpoints.ts';
import { insertAdminAction, listAdminActions } from '#server/database/admin_actions.ts';
import { insertServerErrors, listServerErrors } from '#server/database/server_errors.ts';
import { expireAppointment, loadAppointmentRow, takeNewNotices } from '#support/app_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { bookSlot, findSlot, openTestApp, requestSlot, type TestApp } from '#support/test_app.ts';

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
