import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { NEW_YORK } from '#support/sample_people.ts';

const NEXT = { name: 'Next', ...NEW_YORK, city: 'Albany' };

test('a move changes the studio of upcoming appointments and requests, not of past or cancelled ones', async () => {
  const { database, artist } = await openArtistContext();
  const loadStudioIds = (id: string) =>
    database
      .selectFrom('appointments')
      .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
      .select(['appointments.studio_id', 'appointment_times.studio_id as time_studio_id'])
      .where('appointments.id', '=', id)
      .executeTakeFirstOrThrow();
  const at = (hours: number, status: 'confirmed' | 'cancelled' | 'expired') =>
    addAppointment(database, artist, { status, start: NOON + hours * HOUR_MS });
  const upcoming = await at(2, 'confirmed');
  const request = await addAppointment(database, artist, { status: 'requested', start: null });
  // Its client can still confirm it.
  const expired = await at(8, 'expired');
  const ended = await at(-4, 'confirmed');
  const cancelled = await at(6, 'cancelled');
  await inTransaction(
    database,
    moveStudio,
    artist.id,
    { id: artist.studioId, ...NEXT },
    { now: NOON },
  );
  const studio = await findStudio(database, artist.id);
  expect(studio).toMatchObject(NEXT);
  const id = studio?.id;
  expect(await loadStudioIds(upcoming)).toEqual({ studio_id: id, time_studio_id: id });
  expect((await loadStudioIds(request)).studio_id).toBe(id);
  expect((await loadStudioIds(expired)).studio_id).toBe(id);
  expect((await loadStudioIds(ended)).studio_id).toBe(artist.studioId);
  expect((await loadStudioIds(cancelled)).studio_id).toBe(artist.studioId);
});
