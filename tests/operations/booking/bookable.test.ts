import { expect, test } from 'vitest';
import { checkTime } from '#domain/booking/booking_checks.ts';
import { isAllowed, Refusal, refuse } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/time.ts';
import { updateSchedule } from '#server/database/artists.ts';
import { loadBookable, withAlternatives } from '#server/operations/booking/bookable.ts';
import { deleteService } from '#server/operations/catalogue/services.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, addService, NOON, wantedOf } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';

const TIME = { start: NOON, end: NOON + HOUR_MS };
const NOW = NOON - DAY_MS;

async function setUp() {
  const { context, database, artist } = await openArtistContext();
  const windows = [{ start: '00:00', end: '24:00' }];
  await inTransaction(database, updateSchedule, artist.id, {
    weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows })),
    slot_interval_minutes: 60,
    booking_range: { kind: 'open' },
  });
  const load = (wanted: Parameters<typeof wantedOf>[1]) =>
    loadBookable(database, wantedOf(artist, wanted), NOW);
  const isFree = async (wanted: Parameters<typeof wantedOf>[1] = {}) => {
    const bookable = await load({ time: TIME, ...wanted });
    return isAllowed(() => checkTime(bookable, TIME, NOW));
  };
  return { context, database, artist, load, isFree };
}

test('a time that is not listed is refused with the three nearest that are', async () => {
  const { context, database, artist, isFree } = await setUp();
  expect(await isFree()).toBe(true);
  const id = await addAppointment(database, artist);
  expect(await isFree()).toBe(false);
  const wanted = wantedOf(artist, { time: TIME });
  const refusal = await withAlternatives(context, async () => wanted, refuse('time_taken'), NOW);
  if (!(refusal instanceof Refusal)) throw refusal;
  expect([refusal.reason, refusal.nearest.length]).toEqual(['time_taken', 3]);
  const distances = refusal.nearest.map(({ start }) => Math.abs(start - NOON));
  expect(Math.max(...distances)).toBeLessThanOrEqual(2 * HOUR_MS);
  // The time of this appointment itself does not count as taken.
  expect(await isFree({ own: { id, project_id: null } })).toBe(true);
});

test('an error that names no alternatives stays as it is', async () => {
  const { context, artist } = await setUp();
  for (const error of [refuse('books_closed'), new TypeError('A mistake of ours')])
    expect(await withAlternatives(context, async () => wantedOf(artist), error, NOW)).toBe(error);
});

test('the bookable tells what the artist never had from what clients cannot book', async () => {
  const { context, database, artist, load } = await setUp();
  const [service, hidden, deleted] = [
    await addService(database, artist),
    await addService(database, artist, { is_available: false }),
    await addService(database, artist),
  ];
  await deleteService(context, artist.id, deleted.id);
  const foreign = await addService(database, await addArtist(database));
  const isAvailable = async (serviceId: string) => (await load({ serviceId })).service?.isAvailable;
  expect(await isAvailable(service.id)).toBe(true);
  expect([await isAvailable(hidden.id), await isAvailable(deleted.id)]).toEqual([false, false]);
  expect(await isAvailable(foreign.id)).toBeUndefined();
});

test('the bookable says whether deadlines of holds have passed', async () => {
  const { database, artist, load } = await setUp();
  expect(await load({ time: TIME })).toMatchObject({ hasExpiredTimes: false });
  await addAppointment(database, artist, { status: 'held', expiresAt: NOW });
  expect(await load({ time: TIME })).toMatchObject({ hasExpiredTimes: true });
});
