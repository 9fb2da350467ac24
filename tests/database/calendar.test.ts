import { expect, test } from 'vitest';
import type { Instant } from '#domain/time/time.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { deleteTimes } from '#server/database/appointment_times.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { updateSchedule } from '#server/database/artists.ts';
import { findCalendar } from '#server/database/calendar.ts';
import { expireHolds } from '#server/operations/appointments/expire_holds.ts';
import { change } from '#server/operations/change.ts';
import type { Context } from '#server/operations/context.ts';
import { openArtistContext } from '#support/artist_app.ts';
import {
  addAppointment,
  addArtist,
  changeAppointmentRow,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';

const DAY = { start: NOON - 12 * HOUR_MS, end: NOON + 12 * HOUR_MS };

async function setUp() {
  const { context, database, artist } = await openArtistContext();
  const read = (now: Instant = NOON, span = DAY) =>
    findCalendar(database, artist.id, {
      firstDate: '2030-06-01',
      lastDate: '2030-06-30',
      span,
      now,
    });
  return { context, database, artist, read };
}

test('appointments outside the span, and released times, block nothing', async () => {
  const { database, artist, read } = await setUp();
  await addAppointment(database, artist, { start: NOON - 13 * HOUR_MS });
  await addAppointment(database, artist, { start: NOON + 12 * HOUR_MS });
  const cancelled = await addAppointment(database, artist);
  await changeAppointmentRow(database, artist.id, cancelled, { time: 'released' });
  expect((await read())?.blocked).toEqual([]);
});

test('only exceptions within the requested dates are read', async () => {
  const { database, artist, read } = await setUp();
  const exceptions = ['2030-05-31', '2030-06-01', '2030-06-30', '2030-07-01'].map((date) => ({
    date,
    windows: [],
  }));
  await inTransaction(database, updateSchedule, artist.id, { exceptions });
  const dates = (await read())?.schedule.exceptions.map(({ date }) => date);
  expect(dates?.toSorted()).toEqual(['2030-06-01', '2030-06-30']);
});

test('the database refuses overlapping appointments of one artist, including buffers', async () => {
  const { database, artist } = await setUp();
  await addAppointment(database, artist, { buffer: 15 });
  const overlapping = addAppointment(database, artist, { start: NOON + HOUR_MS + 14 * MINUTE_MS });
  await expect(overlapping).rejects.toMatchObject({ code: '23P01' });
  await addAppointment(database, artist, { start: NOON + HOUR_MS + 15 * MINUTE_MS });
  const other = await addArtist(database);
  expect(await occupiesTime(database, await addAppointment(database, other))).toBe(true);
});

test.each<[string, (context: Context, artistId: string, id: string) => Promise<unknown>]>([
  [
    'released',
    ({ database }, artistId, id) =>
      changeAppointmentRow(database, artistId, id, { time: 'released' }),
  ],
  ['deleted', ({ database }, artistId, id) => inTransaction(database, deleteTimes, artistId, [id])],
  ['lapsed', async () => {}],
  [
    'lapsed and stored',
    (context, artistId) =>
      change(context, { invalidates: [] }, (context) =>
        expireHolds(context, artistId, 'all', NOON),
      ),
  ],
])('a shortened buffer is back, up to the next time, when one is %s', async (how, release) => {
  const { context, database, artist, read } = await setUp();
  await inTransaction(database, updateSchedule, artist.id, { buffer_minutes: 15 });
  await addAppointment(database, artist, { start: NOON - HOUR_MS });
  const expiresAt = how.startsWith('lapsed') ? NOON : NOON + 1;
  const id = await addAppointment(database, artist, { status: 'held', minutes: 10, expiresAt });
  await addAppointment(database, artist, { start: NOON + 10 * MINUTE_MS });
  await release(context, artist.id, id);
  const ends = (await read())?.blocked.map(({ end }) => (end - NOON) / MINUTE_MS);
  // While the lapse is not stored, its row blocks what the buffer gets.
  expect(ends).toEqual(how === 'lapsed' ? [0, 15, 70] : [10, 70]);
});

test('the time of another artist is not deleted', async () => {
  const { database, artist } = await setUp();
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  const before = await findAppointment(database, artist.id, id);
  const other = await addArtist(database);
  await inTransaction(database, deleteTimes, other.id, [id]);
  expect(await findAppointment(database, artist.id, id)).toEqual(before);
  await inTransaction(database, deleteTimes, artist.id, [id]);
  expect(await occupiesTime(database, id)).toBeNull();
});
