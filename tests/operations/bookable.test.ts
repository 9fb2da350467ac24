import { expect, test } from 'vitest';
import type { Refusal } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { updateSchedule } from '#server/database/artists.ts';
import {
  requireAvailableDesign,
  requireAvailableService,
  requireAvailableTime,
  withNearestTimes,
} from '#server/operations/bookable.ts';
import { addAppointment, addArtist, addDesign, addService, NOON } from '#support/database_rows.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const windows = [{ start: '00:00', end: '24:00' }];
  await updateSchedule(database, artist.id, {
    weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows })),
    slot_interval_minutes: 60,
    booking_range: { kind: 'open' },
  });
  return { database, artist: { ...artist, time_zone: 'America/New_York' } };
}

test('a time that is not listed is refused with the three nearest that are', async () => {
  const { database, artist } = await setUp();
  const time = { start: NOON, end: NOON + HOUR_MS };
  const now = NOON - DAY_MS;
  expect(await requireAvailableTime(database, artist, time, now)).toBe(0);
  const id = await addAppointment(database, artist);
  const refused = () => requireAvailableTime(database, artist, time, now);
  const wanted = async () => ({ artist, time });
  const refusal: Refusal = await withNearestTimes(database, wanted, now, refused).catch((e) => e);
  expect(refusal.reason).toBe('time_taken');
  expect(refusal.nearest).toHaveLength(3);
  const [first, , last] = refusal.nearest;
  expect(Math.max(NOON - (first?.start ?? 0), (last?.start ?? 0) - NOON)).toBeLessThanOrEqual(
    2 * HOUR_MS,
  );
  // The time of this appointment itself does not count as taken.
  const options = { exceptAppointmentId: id };
  expect(await requireAvailableTime(database, artist, time, now, options)).toBe(0);
});

test('a time whose notice has passed is accepted if it was listed when the client picked it', async () => {
  const { database, artist } = await setUp();
  const time = { start: NOON, end: NOON + HOUR_MS };
  const now = NOON - HOUR_MS;
  await expect(requireAvailableTime(database, artist, time, now)).rejects.toMatchObject({
    reason: 'time_taken',
  });
  const options = { listedAt: NOON - DAY_MS };
  expect(await requireAvailableTime(database, artist, time, now, options)).toBe(0);
});

test('what the artist had is not available; what they never had is not found', async () => {
  const { database, artist } = await setUp();
  const other = await addArtist(database);
  const { id: hidden } = await addService(database, artist, { is_available: false });
  const { id: foreign } = await addService(database, other);
  const requireService = (id: string) => requireAvailableService(database, artist.id, id);
  await expect(requireService(hidden)).rejects.toMatchObject({ reason: 'service_not_available' });
  await expect(requireService(foreign)).rejects.toMatchObject({ reason: 'not_found' });
  const claimed = await addDesign(database, artist, { status: 'claimed' });
  const requireDesign = (id: string | null) =>
    requireAvailableDesign(database, artist.id, id, Date.now());
  await expect(requireDesign(claimed.id)).rejects.toMatchObject({ reason: 'design_not_available' });
  await expect(requireDesign(UNKNOWN_ID)).rejects.toMatchObject({ reason: 'not_found' });
  await expect(requireDesign(null)).resolves.toBeNull();
});
