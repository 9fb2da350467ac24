import { expect, test } from 'vitest';
import type { Refusal } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { updateSchedule } from '#server/database/artists.ts';
import { requireAvailableTime, withNearestTimes } from '#server/operations/bookable.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, NOON } from '#support/database_rows.ts';

async function setUp() {
  const { database, artist } = await openArtistContext();
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
