import { expect, test } from 'vitest';
import type { Instant } from '#domain/time.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import {
  confirmTime,
  deleteTimes,
  expireHolds,
  findCalendar,
  findCalendarByService,
  listArtistsWithExpiredHolds,
  loadBufferMinutes,
  releaseTime,
  reserveTime,
  toTstzrange,
} from '#server/database/calendar.ts';
import { deleteService, updateService } from '#server/database/services.ts';
import {
  addAppointment,
  addArtist,
  addService,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const DAY = { start: NOON - 12 * HOUR_MS, end: NOON + 12 * HOUR_MS };

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const read = (now: Instant = NOON, span = DAY) =>
    findCalendar(database, artist.id, {
      firstDate: '2030-06-01',
      lastDate: '2030-06-30',
      span,
      now,
    });
  return { database, artist, read };
}

test('blocked times include the buffer of their booking, in order of start', async () => {
  const { database, artist, read } = await setUp();
  await addAppointment(database, artist, { start: NOON + 3 * HOUR_MS });
  await addAppointment(database, artist, { start: NOON, buffer: 15 });
  expect((await read())?.blocked).toEqual([
    { start: NOON, end: NOON + HOUR_MS + 15 * MINUTE_MS, expiresAt: null },
    { start: NOON + 3 * HOUR_MS, end: NOON + 4 * HOUR_MS, expiresAt: null },
  ]);
});

test('a hold blocks its time until its expiry, even before its status is updated', async () => {
  const { database, artist, read } = await setUp();
  const expiresAt = NOON - HOUR_MS;
  await addAppointment(database, artist, { status: 'held', expiresAt });
  expect((await read(expiresAt - 1))?.blocked).toMatchObject([{ expiresAt }]);
  expect((await read(expiresAt))?.blocked).toEqual([]);
});

test('appointments outside the span, and released times, block nothing', async () => {
  const { database, artist, read } = await setUp();
  await addAppointment(database, artist, { start: NOON - 13 * HOUR_MS });
  await addAppointment(database, artist, { start: NOON + 12 * HOUR_MS });
  const cancelled = await addAppointment(database, artist);
  await releaseTime(database, artist.id, cancelled);
  expect((await read())?.blocked).toEqual([]);
});

test('only exceptions within the requested dates are read', async () => {
  const { database, artist, read } = await setUp();
  const exceptions = ['2030-05-31', '2030-06-01', '2030-06-30', '2030-07-01'].map((date) => ({
    date,
    windows: [],
  }));
  await updateSchedule(database, artist.id, { exceptions });
  const dates = (await read())?.schedule.exceptions.map(({ date }) => date);
  expect(dates?.toSorted()).toEqual(['2030-06-01', '2030-06-30']);
});

test('an inactive artist has no calendar', async () => {
  const { database, artist, read } = await setUp();
  expect((await read())?.zone).toBe('America/New_York');
  await updateArtist(database, artist.id, { is_active: false });
  expect(await read()).toBeUndefined();
});

test('a calendar is found by its service while the service is available', async () => {
  const { database, artist } = await setUp();
  const { id } = await addService(database, artist, { duration_minutes: 90 });
  const query = { firstDate: '2030-06-01', lastDate: '2030-06-30', span: DAY, now: NOON };
  const read = () => findCalendarByService(database, id, query);
  expect(await read()).toMatchObject({ artistId: artist.id, durationMinutes: 90 });
  await updateService(database, artist.id, id, { is_available: false });
  expect(await read()).toBeUndefined();
  await updateService(database, artist.id, id, { is_available: true });
  await deleteService(database, artist.id, id);
  expect(await read()).toBeUndefined();
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

test('expireHolds expires holds and reopens offered requests past their deadline within a span', async () => {
  const { database, artist } = await setUp();
  const expiresAt = NOON - HOUR_MS;
  const held = await addAppointment(database, artist, { status: 'held', expiresAt });
  const offered = await addAppointment(database, artist, {
    status: 'offered',
    start: NOON + 2 * HOUR_MS,
    expiresAt,
  });
  const unexpired = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 4 * HOUR_MS,
    expiresAt: NOON + HOUR_MS,
  });
  const span = { start: NOON, end: NOON + HOUR_MS };
  expect(await expireHolds(database, artist.id, { overlapping: span }, NOON)).toEqual([
    { id: held, was: 'held' },
  ]);
  expect(await findAppointment(database, artist.id, held)).toMatchObject({
    status: 'expired',
    version: 1,
  });
  expect(await occupiesTime(database, held)).toBe(false);
  expect(await expireHolds(database, artist.id, 'all', NOON)).toEqual([
    { id: offered, was: 'offered' },
  ]);
  expect(await findAppointment(database, artist.id, offered)).toMatchObject({
    status: 'requested',
    version: 1,
  });
  expect(await occupiesTime(database, offered)).toBe(false);
  expect(await occupiesTime(database, unexpired)).toBe(true);
});

test('expireHolds can expire one appointment alone, also one that reserves no time', async () => {
  const { database, artist } = await setUp();
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON - HOUR_MS });
  await addAppointment(database, artist, {
    ...{ status: 'held', start: NOON + 2 * HOUR_MS, expiresAt: NOON - HOUR_MS },
  });
  await releaseTime(database, artist.id, id);
  await database
    .updateTable('appointment_times')
    .set({ expires_at: new Date(NOON - HOUR_MS) })
    .where('appointment_id', '=', id)
    .execute();
  const scope = { appointmentId: id };
  expect(await expireHolds(database, artist.id, scope, NOON)).toEqual([{ id, was: 'held' }]);
});

test('an artist is listed by listArtistsWithExpiredHolds until those holds are expired', async () => {
  const { database, artist } = await setUp();
  await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  expect(await listArtistsWithExpiredHolds(database, NOON - 1)).not.toContain(artist.id);
  expect(await listArtistsWithExpiredHolds(database, NOON)).toContain(artist.id);
  await expireHolds(database, artist.id, 'all', NOON);
  expect(await listArtistsWithExpiredHolds(database, NOON)).not.toContain(artist.id);
});

test('a moved appointment blocks only its new time', async () => {
  const { database, artist, read } = await setUp();
  const appointmentId = await addAppointment(database, artist);
  const time = { start: NOON + 2 * HOUR_MS, end: NOON + 3 * HOUR_MS };
  await reserveTime(database, {
    ...time,
    appointmentId,
    artistId: artist.id,
    studioId: artist.studioId,
    blocked: time,
    isReserved: true,
    expiresAt: null,
  });
  expect((await read())?.blocked).toEqual([{ ...time, expiresAt: null }]);
});

test('confirmTime occupies a released time again, without expiry', async () => {
  const { database, artist } = await setUp();
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  await releaseTime(database, artist.id, id);
  expect(await occupiesTime(database, id)).toBe(false);
  await confirmTime(database, artist.id, id);
  expect(await occupiesTime(database, id)).toBe(true);
  expect((await findAppointment(database, artist.id, id))?.expires_at).toBeNull();
});

test('the time of another artist is neither released, confirmed nor deleted', async () => {
  const { database, artist } = await setUp();
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  const before = await findAppointment(database, artist.id, id);
  const other = await addArtist(database);
  await releaseTime(database, other.id, id);
  await confirmTime(database, other.id, id);
  await deleteTimes(database, other.id, [id]);
  expect(await findAppointment(database, artist.id, id)).toEqual(before);
  await deleteTimes(database, artist.id, [id]);
  expect(await occupiesTime(database, id)).toBeNull();
});

test('loadBufferMinutes returns the artist’s buffer', async () => {
  const { database, artist } = await setUp();
  expect(await loadBufferMinutes(database, artist.id)).toBe(0);
  await updateSchedule(database, artist.id, { buffer_minutes: 20 });
  expect(await loadBufferMinutes(database, artist.id)).toBe(20);
});

test('a range includes its start and excludes its end', () => {
  expect(toTstzrange({ start: 0, end: MINUTE_MS })).toBe(
    '[1970-01-01T00:00:00.000Z,1970-01-01T00:01:00.000Z)',
  );
});
