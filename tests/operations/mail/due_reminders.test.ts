import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { listDueReminders } from '#server/operations/mail/reminders.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

/** A sweep from `SINCE` to `A_DAY_BEFORE` includes the reminder 24 hours before `NOON`. */
const A_DAY_BEFORE = NOON - 24 * HOUR_MS;
const SINCE = A_DAY_BEFORE - MINUTE_MS;

async function setUp(reminder_hours: (2 | 4 | 24 | 72)[] = [24]) {
  const { database } = await openTestApp();
  const artist = await addArtist(database, { reminder_hours });
  const findDueHours = async (id: string, from = SINCE, now = A_DAY_BEFORE) =>
    (await listDueReminders(database, from, now)).find((due) => due.id === id)?.hours;
  return { database, artist, findDueHours };
}

test('a reminder is due only in the sweep that includes its time', async () => {
  const { database, artist, findDueHours } = await setUp();
  const id = await addAppointment(database, artist);
  expect(await findDueHours(id)).toBe(24);
  expect(await findDueHours(id, SINCE, A_DAY_BEFORE - 1)).toBeUndefined();
  expect(await findDueHours(id, A_DAY_BEFORE, A_DAY_BEFORE + MINUTE_MS)).toBeUndefined();
});

test('after a long pause only the reminder closest to the appointment is due', async () => {
  const { database, artist, findDueHours } = await setUp([2, 4, 24, 72]);
  const id = await addAppointment(database, artist);
  expect(await findDueHours(id, NOON - 100 * HOUR_MS, NOON - 3 * HOUR_MS)).toBe(4);
});

test('an appointment that has begun or is not confirmed has no reminder due', async () => {
  const { database, artist, findDueHours } = await setUp();
  const id = await addAppointment(database, artist);
  expect(await findDueHours(id, SINCE, NOON)).toBeUndefined();
  const held = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 2 * HOUR_MS,
  });
  expect(await findDueHours(held, SINCE, A_DAY_BEFORE + 2 * HOUR_MS)).toBeUndefined();
});

test('a client without an email, and an artist without reminder hours, have no reminder due', async () => {
  const { database, artist, findDueHours } = await setUp();
  const withoutEmail = await addAppointment(database, artist, { email: null });
  expect(await findDueHours(withoutEmail)).toBeUndefined();
  const other = await setUp([]);
  const withoutHours = await addAppointment(database, other.artist);
  expect(await findDueHours(withoutHours)).toBeUndefined();
});

test('an appointment changed after the reminder’s time has no reminder due', async () => {
  const { database, artist, findDueHours } = await setUp();
  const id = await addAppointment(database, artist);
  const updateAt = (moment: number) =>
    database
      .updateTable('appointments')
      .set({ updated_at: new Date(moment) })
      .where('id', '=', id)
      .execute();
  await updateAt(A_DAY_BEFORE + 1);
  expect(await findDueHours(id)).toBeUndefined();
  await updateAt(A_DAY_BEFORE);
  expect(await findDueHours(id)).toBe(24);
});

test('of reminders that are due at the same time, a batch begins after the last one of the batch before', async () => {
  const { database } = await openTestApp({ database: 'own' });
  for (const name of ['Ada', 'Bo', 'Cy']) {
    const artist = await addArtist(database, { reminder_hours: [24], full_name: name });
    await addAppointment(database, artist);
  }
  const [first, ...others] = await listDueReminders(database, SINCE, A_DAY_BEFORE);
  expect(others).toHaveLength(2);
  expect(await listDueReminders(database, SINCE, A_DAY_BEFORE, first)).toEqual(others);
});
