import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#domain/time.ts';
import { updateArtist, updateBookingRange, updateHours } from '#server/database/artists.ts';
import { readCalendar, readFreeStretches, readSlots } from '#server/operations/availability.ts';
import { addAppointment, addArtist, addService } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

/** Monday in New York; the studio is open on Mondays from 9 to 12. */
const NOW = Date.parse('2030-06-03T04:00:00Z');
const NINE = Date.parse('2030-06-03T13:00:00Z');
const JUNE = { year: 2030, month: 6 };

async function open() {
  const { parts } = await openParts();
  const artist = await addArtist(parts.database);
  const { id: serviceId } = await addService(parts.database, artist);
  await updateBookingRange(parts.database, artist.id, { kind: 'rolling', days: 6 });
  await updateHours(parts.database, artist.id, {
    weekly: [{ weekday: 1, windows: [{ start: '09:00', end: '12:00' }] }],
    slot_interval_minutes: 60,
    minimum_notice_minutes: 0,
  });
  const slots = async (now = NOW) => readSlots(parts, serviceId, JUNE, now);
  const starts = async (now = NOW) =>
    (await slots(now)).answer.data.flatMap(({ windows }) => windows.map(({ start }) => start));
  return { parts, artist, slots, starts };
}

test('slots of a service are listed by date, each with its last minute', async () => {
  const { artist, slots } = await open();
  const { answer, tags } = await slots();
  expect(answer.data).toEqual([
    {
      date: '2030-06-03',
      windows: [
        { start: '2030-06-03T13:00:00Z', end: '2030-06-03T13:59:00Z' },
        { start: '2030-06-03T14:00:00Z', end: '2030-06-03T14:59:00Z' },
        { start: '2030-06-03T15:00:00Z', end: '2030-06-03T15:59:00Z' },
      ],
    },
  ]);
  const { id } = artist;
  expect(tags).toEqual([`artist:${id}`, `availability:${id}`, `services:${id}`]);
});

test('a booked time is not listed, and its buffer keeps the slot before it free', async () => {
  const { parts, artist, starts } = await open();
  await addAppointment(parts.database, artist, { start: NINE + HOUR, buffer: 0 });
  expect(await starts()).toEqual(['2030-06-03T13:00:00Z', '2030-06-03T15:00:00Z']);
  await updateHours(parts.database, artist.id, { buffer_minutes: 30 });
  expect(await starts()).toEqual(['2030-06-03T15:00:00Z']);
});

test('an answer is cached until a hold lapses, and then lists its time again', async () => {
  const { parts, artist, slots, starts } = await open();
  const lapsesAt = NOW + 20 * MINUTE;
  await addAppointment(parts.database, artist, { status: 'held', start: NINE, lapsesAt });
  expect((await slots()).until).toBe(lapsesAt);
  expect(await starts()).toHaveLength(2);
  expect(await starts(lapsesAt)).toHaveLength(3);
});

test('an answer is cached until its first slot begins', async () => {
  const { slots } = await open();
  expect((await slots(NINE - HOUR)).until).toBeLessThanOrEqual(NINE + 1);
});

test('free stretches are what is open and not booked', async () => {
  const { parts, artist } = await open();
  await addAppointment(parts.database, artist, { start: NINE + HOUR });
  const { answer } = await readFreeStretches(parts, artist.id, JUNE, NOW);
  expect(answer.data).toEqual([
    {
      date: '2030-06-03',
      windows: [
        { start: '2030-06-03T13:00:00Z', end: '2030-06-03T13:59:00Z' },
        { start: '2030-06-03T15:00:00Z', end: '2030-06-03T15:59:00Z' },
      ],
    },
  ]);
});

test('services and artists that clients cannot book are not found', async () => {
  const { parts, artist, slots } = await open();
  const notFound = { reason: 'not_found' };
  await expect(readSlots(parts, crypto.randomUUID(), JUNE, NOW)).rejects.toMatchObject(notFound);
  const hidden = await addService(parts.database, artist, { is_available: false });
  await expect(readSlots(parts, hidden.id, JUNE, NOW)).rejects.toMatchObject(notFound);
  await updateArtist(parts.database, artist.id, { is_active: false });
  await expect(slots()).rejects.toMatchObject(notFound);
  const calendar = readCalendar(parts.database, artist.id, '2030-06-01', '2030-06-30', NOW);
  await expect(calendar).rejects.toMatchObject(notFound);
});
