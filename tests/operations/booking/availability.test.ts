import { expect, test } from 'vitest';
import { checkTime } from '#domain/booking/booking_checks.ts';
import { isAllowed } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import {
  loadArtistAvailability,
  loadServiceAvailability,
} from '#server/operations/booking/availability.ts';
import { loadBookable } from '#server/operations/booking/bookable.ts';
import { addAppointment, addArtist, addService, wantedOf } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

/** Monday in New York; the studio is open on Mondays from 9 to 12. */
const NOW = Date.parse('2030-06-03T04:00:00Z');
const NINE = Date.parse('2030-06-03T13:00:00Z');
const JUNE = { year: 2030, month: 6 };

async function setUp() {
  const { context } = await openTestContext();
  const artist = await addArtist(context.database);
  const { id: serviceId } = await addService(context.database, artist);
  await inTransaction(context.database, updateSchedule, artist.id, {
    booking_range: { kind: 'rolling', days: 6 },
    weekly: [{ weekday: 1, windows: [{ start: '09:00', end: '12:00' }] }],
    slot_interval_minutes: 60,
    minimum_notice_minutes: 0,
  });
  const slots = async (now = NOW) => loadServiceAvailability(context, serviceId, JUNE, now);
  const starts = async (now = NOW) =>
    (await slots(now)).value.data.flatMap(({ windows }) => windows.map(({ start }) => start));
  return { context, artist, slots, starts };
}

test('closed books list no free time of the artist, but the slots to which a booked client moves', async () => {
  const { context, artist, starts } = await setUp();
  await updateArtist(context.database, artist.id, { books: { state: 'closed' } });
  const { value } = await loadArtistAvailability(context, artist.id, JUNE, NOW);
  expect(value.data).toEqual([]);
  expect(await starts()).toHaveLength(3);
});

test('an artist’s availability is the opening hours without booked times', async () => {
  const { context, artist } = await setUp();
  await addAppointment(context.database, artist, { start: NINE + HOUR_MS });
  const { value: response } = await loadArtistAvailability(context, artist.id, JUNE, NOW);
  expect(response.data).toEqual([
    {
      date: '2030-06-03',
      windows: [
        { start: '2030-06-03T13:00:00Z', end: '2030-06-03T13:59:00Z' },
        { start: '2030-06-03T15:00:00Z', end: '2030-06-03T15:59:00Z' },
      ],
    },
  ]);
});

test('a slot that ends on the first of the next month heeds its appointments and days off', async () => {
  const { context, artist } = await setUp();
  const { database } = context;
  await inTransaction(database, updateSchedule, artist.id, {
    booking_range: { kind: 'fixed', start: '2030-06-30', end: '2030-06-30' },
    // From Sunday, June 30, until 2:00.
    weekly: [
      { weekday: 7, windows: [{ start: '22:00', end: '24:00' }] },
      { weekday: 1, windows: [{ start: '00:00', end: '02:00' }] },
    ],
  });
  const { id: serviceId } = await addService(database, artist, { duration_minutes: 180 });
  const start = Date.parse('2030-07-01T02:00:00Z');
  const time = { start, end: start + 3 * HOUR_MS };
  const bookable = async () => {
    const inMonth = async (month: number) => {
      const query = { year: 2030, month };
      return (await loadServiceAvailability(context, serviceId, query, NOW)).value.data;
    };
    const wanted = wantedOf(artist, { serviceId, time });
    const bookable = await loadBookable(database, wanted, NOW);
    const isAccepted = isAllowed(() => checkTime(bookable, time, NOW));
    const listed = [...(await inMonth(6)), ...(await inMonth(7))];
    return [...listed.flatMap(({ date, windows }) => [date, windows.length]), isAccepted];
  };
  expect(await bookable()).toEqual(['2030-06-30', 2, true]);
  await addAppointment(database, artist, { start: start + 3.5 * HOUR_MS });
  expect(await bookable()).toEqual(['2030-06-30', 1, true]);
  await inTransaction(database, updateSchedule, artist.id, {
    exceptions: [{ date: '2030-07-01', windows: [] }],
  });
  expect(await bookable()).toEqual([false]);
});

test('the availability of an unknown or hidden service, or of an inactive artist, is not found', async () => {
  const { context, artist, slots } = await setUp();
  const notFound = { reason: 'not_found' };
  await expect(
    loadServiceAvailability(context, crypto.randomUUID(), JUNE, NOW),
  ).rejects.toMatchObject(notFound);
  const hidden = await addService(context.database, artist, { is_available: false });
  await expect(loadServiceAvailability(context, hidden.id, JUNE, NOW)).rejects.toMatchObject(
    notFound,
  );
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(slots()).rejects.toMatchObject(notFound);
  await expect(loadArtistAvailability(context, artist.id, JUNE, NOW)).rejects.toMatchObject(
    notFound,
  );
});
