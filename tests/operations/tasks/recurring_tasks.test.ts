import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import { insertCountedMail } from '#server/database/mail_budgets.ts';
import { issueRecoveryToken } from '#server/database/password_recoveries.ts';
import { addToCounts } from '#server/database/rate_limits.ts';
import { insertServerErrors, searchServerErrors } from '#server/database/server_errors.ts';
import { insertEmailChange } from '#server/operations/accounts/email_change.ts';
import { expireAppointment, loadAppointmentRow, takeNewNotices } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { inTransaction } from '#support/in_transaction.ts';
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
  expect(app.logged.join()).toContain('Tasks: Releasing expired holds failed');
  await vi.waitFor(async () => {
    const { rows } = await searchServerErrors(app.database, 'job minute', { skip: 0, limit: 10 });
    expect(rows).toMatchObject([{ code: '23514' }]);
  });
});

test('recovery links, challenges, counts, changes of emails, errors, sessions and actions of superusers are deleted in time', async () => {
  const { app, self } = await openArtistApp({ database: 'own' });
  const { database } = app;
  await issueRecoveryToken(database, self.id, self.email);
  const expiresAt = new Date(Date.now() + 3 * HOUR);
  const challenge = { challenge: 'a challenge', artist_id: null, expires_at: expiresAt };
  await database.insertInto('passkey_challenges').values(challenge).execute();
  const event = { counted: 'test', most: 3, periodMs: 2 * HOUR, causer: 'rosa' };
  await addToCounts(database, [event]);
  const counted = { mailbox: 'rosa@example.com', source: 'here', senderId: self.id };
  const kinds = { isLinkNeeded: false, isForSafety: false };
  const mailId = crypto.randomUUID();
  await inTransaction(database, insertCountedMail, { mailId, ...counted, ...kinds }, Date.now());
  await inTransaction(database, insertEmailChange, {
    ...{ artist_id: self.id, old_email: self.email, new_email: 'new@example.com' },
    can_be_undone: true,
  });
  const error = {
    ...{ requestId: 'abc-1', route: 'GET /', status: 500, name: 'Error', code: null },
    ...{ message: '', stack: '', happenedAt: Date.now() },
  };
  await insertServerErrors(database, [error]);
  const action = { superuser_id: self.id, artist_id: null, kind: 'account_deleted' } as const;
  await inTransaction(database, insertAdminAction, action);
  const hoursByTable = {
    ...{ password_recoveries: 1, rate_limits: 2, passkey_challenges: 3, counted_mails: 24 },
    // The session is that of the artist's login.
    ...{
      email_changes: 7 * 24,
      server_errors: 14 * 24,
      sessions: 30 * 24,
      admin_actions: 365 * 24,
    },
  };
  const tables = Object.keys(hoursByTable);
  const now = Date.now();
  /** The tables that have their row after the tasks of that hour. */
  const tablesAfter = async (hours: number) => {
    await app.runMinutelyTasks(now + hours * HOUR);
    const results = tables.map((table) => sql`SELECT FROM ${sql.table(table)}`.execute(database));
    const counts = (await Promise.all(results)).map(({ rows }) => rows.length);
    return tables.filter((_, nth) => counts[nth] === 1);
  };
  for (const [nth, hours] of Object.values(hoursByTable).entries()) {
    expect(await tablesAfter(hours * 0.9)).toEqual(tables.slice(nth));
    expect(await tablesAfter(hours * 1.1)).toEqual(tables.slice(nth + 1));
  }
});
