import type { ArtistChanges } from '#contract/artist.ts';
import type { Instant } from '#domain/time.ts';
import { incrementUpcomingVersions, listAppointmentsByIds } from '#server/database/appointments.ts';
import { updateStudio } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { findStudio, hasPastAppointments, moveStudio } from '#server/database/studio_moves.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentFacts } from './notify.ts';

const LOCATION_FIELDS = [
  'address_one',
  'address_two',
  'city',
  'state',
  'zip_code',
  'time_zone',
] as const;

/**
 * Changes the studio. When it moves, appointments that are over stay where they were; those ahead
 * move along, at the same instants, and whoever has booked one is told. Call it within the artist's
 * calendar.
 */
export async function applyStudioChanges(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  changes: NonNullable<ArtistChanges['studio']>,
  now: Instant,
): Promise<void> {
  const before = await findStudio(database, artistId);
  if (!before) return;
  const { id, ...studio } = before;
  const moves = LOCATION_FIELDS.some(
    (field) => changes[field] !== undefined && changes[field] !== studio[field],
  );
  if (moves && (await hasPastAppointments(database, id, now)))
    await moveStudio(database, artistId, id, { ...studio, ...withoutUndefined(changes) }, now);
  else await updateStudio(database, artistId, changes);
  if (!moves) return;
  const booked = await listAppointmentsByIds(
    database,
    await incrementUpcomingVersions(database, artistId, now),
  );
  const notices = booked.map(
    (row) => ({ kind: 'moved', appointment: toAppointmentFacts(row, true) }) as const,
  );
  await notify(context, database, artistId, notices);
}

/** Without what was left out. */
function withoutUndefined({
  name,
  address_one,
  address_two,
  city,
  state,
  zip_code,
  time_zone,
}: NonNullable<ArtistChanges['studio']>) {
  return {
    ...(name !== undefined && { name }),
    ...(address_one !== undefined && { address_one }),
    ...(address_two !== undefined && { address_two }),
    ...(city !== undefined && { city }),
    ...(state !== undefined && { state }),
    ...(zip_code !== undefined && { zip_code }),
    ...(time_zone !== undefined && { time_zone }),
  };
}
