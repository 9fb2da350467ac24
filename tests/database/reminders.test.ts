import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import {
  listDueReminders,
  lockReminderSweep,
  updateReminderSweep,
} from '#server/database/reminders.ts';
import { addAppointment, addArtist, NOON, withRollback } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

/** One look for reminders, just after the moment a day before `NOON`. */
const A_DAY_BEFORE = NOON - 24 * HOUR_MS;
const SINCE = A_DAY_BEFORE - MINUTE_MS;

async function open(reminder_hours: (2 | 4 | 24 | 72)[] = [24]) {
  const { database } = await openTestApp();
  const artist = await addArtist(database, { reminder_hours });
  const dueOf = async (id: string, from = SINCE, now = A_DAY_BEFORE) =>
    (await listDueReminders(database, from, now)).get(id);
  return { database, artist, dueOf };
}

test('a reminder is due in the look that passes its moment, and in no other', async () => {
  const { database, artist, dueOf } = await open();
  const id = await addAppointment(database, artist);
  expect(await dueOf(id)).toBe(24);
  expect(await dueOf(id, SINCE, A_DAY_BEFORE - 1)).toBeUndefined();
  expect(await dueOf(id, A_DAY_BEFORE, A_DAY_BEFORE + MINUTE_MS)).toBeUndefined();
});

test('after a long pause only the nearest of several reminders is due', async () => {
  const { database, artist, dueOf } = await open([2, 4, 24, 72]);
  const id = await addAppointment(database, artist);
  expect(await dueOf(id, NOON - 100 * HOUR_MS, NOON - 3 * HOUR_MS)).toBe(4);
});

test('an appointment that has begun, or is not confirmed, has no reminder', async () => {
  const { database, artist, dueOf } = await open();
  const id = await addAppointment(database, artist);
  expect(await dueOf(id, SINCE, NOON)).toBeUndefined();
  const held = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 2 * HOUR_MS,
  });
  expect(await dueOf(held, SINCE, A_DAY_BEFORE + 2 * HOUR_MS)).toBeUndefined();
});

test('a client without an email is not reminded', async () => {
  const { database, artist, dueOf } = await open();
  expect(await dueOf(await addAppointment(database, artist, { email: null }))).toBeUndefined();
});

test('an artist who switched reminders off has none due', async () => {
  const { database, artist, dueOf } = await open([]);
  expect(await dueOf(await addAppointment(database, artist))).toBeUndefined();
});

test('an appointment that was booked or moved after the moment has no reminder', async () => {
  const { database, artist, dueOf } = await open();
  const id = await addAppointment(database, artist);
  const updateAt = (moment: number) =>
    database
      .updateTable('appointments')
      .set({ updated_at: new Date(moment) })
      .where('id', '=', id)
      .execute();
  await updateAt(A_DAY_BEFORE + 1);
  expect(await dueOf(id)).toBeUndefined();
  await updateAt(A_DAY_BEFORE);
  expect(await dueOf(id)).toBe(24);
});

test('a sweep goes on from where the last one ended', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    await transaction.deleteFrom('reminder_sweep').execute();
    expect(await lockReminderSweep(transaction, NOON)).toBe(NOON);
    expect(await lockReminderSweep(transaction, NOON + HOUR_MS)).toBe(NOON);
    await updateReminderSweep(transaction, NOON + HOUR_MS);
    expect(await lockReminderSweep(transaction, NOON + 2 * HOUR_MS)).toBe(NOON + HOUR_MS);
  });
});
