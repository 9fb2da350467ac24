import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
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

test('mails are deleted half a year after they were sent', async () => {
  const app = await openTestApp({ database: 'own' });
  await app.newArtist({ viaSignup: true });
  await app.runJobs();
  const countAfterDays = async (days: number) => {
    const settled_at = new Date(Date.now() - days * 24 * HOUR);
    await app.database.updateTable('mails').set({ settled_at }).execute();
    await app.runMinutelyTasks();
    return (await app.database.selectFrom('mails').select('id').execute()).length;
  };
  expect([await countAfterDays(179), await countAfterDays(181)]).toEqual([1, 0]);
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
