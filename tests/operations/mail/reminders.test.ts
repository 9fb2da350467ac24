import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { finishMails, insertMails } from '#server/database/mails.ts';
import { change } from '#server/operations/change.ts';
import {
  enqueueDueReminders,
  enqueueMissedReminders,
  lockReminderSweep,
  updateReminderSweep,
} from '#server/operations/mail/reminders.ts';
import { updateOwnAccount } from '#server/operations/studio/artists.ts';
import { addAppointment, addArtist, createAppointmentFacts, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = NOON - 22 * HOUR_MS;

const timeAt = (start: number) => {
  const end = start + HOUR_MS;
  return { start, end, blockedUntil: end, isReserved: true, expiresAt: null };
};

/** Runs a change while a sweep runs, until it waits for the sweep or ends. */
async function startDuringSweep<T>(database: Database, change: () => Promise<T>) {
  let hasEnded = false;
  const result = change().finally(() => {
    hasEnded = true;
  });
  // Until it is awaited, a rejection is not an error.
  result.catch(() => {});
  const isWaiting = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
    `.execute(database);
    return rows.length > 0;
  };
  await vi.waitUntil(async () => hasEnded || (await isWaiting()));
  return { result };
}

test('a reminder that a move made overdue is queued once, and not again once it is sent', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database, { reminder_hours: [24] });
  const appointmentId = await addAppointment(database, artist);
  const forgetSweeps = () => database.deleteFrom('reminder_sweep').execute();
  await forgetSweeps();
  // Other tests may share the database.
  onTestFinished(async () => void (await forgetSweeps()));
  await inTransaction(database, lockReminderSweep, NOW);
  const id = appointmentId;
  const moved = [{ id, appointmentId, before: timeAt(NOON + 3 * HOUR_MS), after: timeAt(NOON) }];
  const enqueue = () =>
    change(context, { invalidates: [] }, (context) =>
      enqueueMissedReminders(context, artist.id, moved, NOW),
    );
  const listReminders = () =>
    database.selectFrom('mails').select('id').where('appointment_id', '=', appointmentId).execute();
  await enqueue();
  await enqueue();
  const [reminder, another] = await listReminders();
  expect(another).toBeUndefined();
  await finishMails(database, [{ id: reminder?.id ?? '', status: 'sent' }]);
  await enqueue();
  expect(await listReminders()).toHaveLength(1);
});

const DUE_IN_SWEEP = NOW + 24 * HOUR_MS + 10 * MINUTE_MS;

test.for([
  {
    title: 'the sweep has queued it for the time before',
    before: DUE_IN_SWEEP,
    after: NOW + 23 * HOUR_MS,
    queued: 0,
  },
  {
    title: 'the sweep has not seen the new time',
    before: NOW + 27 * HOUR_MS,
    after: DUE_IN_SWEEP,
    queued: 1,
  },
])(
  'a move during a sweep of reminders neither doubles nor loses one: $title',
  async ({ before, after, queued }) => {
    const { database } = await openTestApp({ database: 'own' });
    const { context } = await openTestContext({ database });
    const artist = await addArtist(database, { reminder_hours: [24] });
    const appointmentId = await addAppointment(database, artist, { start: after });
    const moved = [
      { id: appointmentId, appointmentId, before: timeAt(before), after: timeAt(after) },
    ];
    await inTransaction(database, lockReminderSweep, NOW);
    const change = await database.transaction().execute(async (sweep) => {
      await lockReminderSweep(sweep, NOW);
      const started = await startDuringSweep(database, () =>
        database
          .transaction()
          .execute((transaction) =>
            enqueueMissedReminders({ ...context, database: transaction }, artist.id, moved, NOW),
          ),
      );
      await updateReminderSweep(sweep, NOW + 30 * MINUTE_MS);
      return started;
    });
    await change.result;
    expect(await database.selectFrom('mails').select('id').execute()).toHaveLength(queued);
  },
);

test('a sweep waits for the one of another server, and queues nothing that it has covered', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context } = await openTestContext({ database });
  await addAppointment(database, await addArtist(database, { reminder_hours: [24] }));
  const now = NOON - 24 * HOUR_MS;
  await inTransaction(database, lockReminderSweep, now - MINUTE_MS);
  const second = await database.transaction().execute(async (sweep) => {
    await lockReminderSweep(sweep, now);
    const started = await startDuringSweep(database, () => enqueueDueReminders(context, now));
    await updateReminderSweep(sweep, now);
    return started;
  });
  await second.result;
  expect(await database.selectFrom('mails').select('id').execute()).toEqual([]);
});

test('a sweep of reminders never waits for an artist who moves and changes their username', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context } = await openTestContext({ database });
  const artist = await addArtist(database, { reminder_hours: [24] });
  const appointmentId = await addAppointment(database, artist);
  const appointment = createAppointmentFacts(artist, appointmentId);
  const studio = { time_zone: 'America/Chicago' };
  const changes = { username: `${artist.username}2`, studio, keep: 'clock_times' } as const;
  await inTransaction(database, lockReminderSweep, NOW);
  const change = await database.transaction().execute(async (sweep) => {
    await lockReminderSweep(sweep, NOW);
    const started = await startDuringSweep(database, () =>
      updateOwnAccount(context, { id: artist.id, sessionId: artist.id }, changes, NOW),
    );
    await sql`SET LOCAL lock_timeout = '200ms'`.execute(sweep);
    const notice = { kind: 'reminder', appointment, hours: 24 } as const;
    expect(await insertMails(sweep, { notices: [notice] })).toHaveLength(1);
    return started;
  });
  expect(await change.result).toMatchObject({ studio: { time_zone: 'America/Chicago' } });
});

test('more reminders than a batch are queued in several sweeps, each reminder once', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context, jobs } = await openTestContext({ database });
  const artist = await addArtist(database, { reminder_hours: [24] });
  const id = await addAppointment(database, artist, { minutes: 1 });
  await sql`
    WITH added AS (
      INSERT INTO appointments (artist_id, studio_id, client_id, status, email)
      SELECT artist_id, studio_id, client_id, status, email FROM appointments, generate_series(2, 1100)
      WHERE appointments.id = ${id} RETURNING *
    ), timed AS (
      SELECT *, ${new Date(NOON)}::timestamptz + row_number() OVER () * interval '1 minute' AS start FROM added
    )
    INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
    SELECT id, artist_id, studio_id, during, during, true
    FROM timed, LATERAL (SELECT tstzrange(start, start + interval '1 minute') AS during)
  `.execute(database);
  await inTransaction(database, lockReminderSweep, NOON - 25 * HOUR_MS);
  await enqueueDueReminders(context, NOON);
  expect(jobs).toHaveLength(1099);
  await enqueueDueReminders(context, NOON);
  expect(jobs).toHaveLength(1099);
});
