import type { ArtistChanges } from '#contract/artist.ts';
import type { Instant } from '#domain/time.ts';
import { incrementUpcomingVersions, listAppointmentsByIds } from '#server/database/appointments.ts';
import { updateStudio } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { findStudio, hasPastAppointments, moveStudio } from '#server/database/studio_moves.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

const LOCATION_FIELDS = [
  'address_one',
  'address_two',
  'city',
  'state',
  'zip_code',
  'time_zone',
] as const;

/**
 * Changes the data of the artist's studio. When its address or time zone changes, past appointments
 * keep the old data. Upcoming appointments keep their instants (a new zone changes their local
 * times), and the clients with a confirmed one get a mail. Call inside `updateCalendar`.
 */
export async function applyStudioChanges(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  changes: NonNullable<ArtistChanges['studio']>,
  now: Instant,
): Promise<void> {
  const oldStudio = await findStudio(database, artistId);
  if (!oldStudio) return;
  const { id: oldId, ...oldFields } = oldStudio;
  const isMove = LOCATION_FIELDS.some(
    (field) => changes[field] !== undefined && changes[field] !== oldFields[field],
  );
  // Past appointments keep the old row: `moveStudio` gives the artist a copy, which changes next.
  if (isMove && (await hasPastAppointments(database, oldId, now)))
    await moveStudio(database, artistId, oldId, oldFields, now);
  await updateStudio(database, artistId, changes);
  if (!isMove) return;
  // Calendar apps accept a changed event only if its version is higher.
  const confirmedIds = await incrementUpcomingVersions(database, artistId, now);
  const rows = await listAppointmentsByIds(database, confirmedIds);
  const notices = rows.map(
    (row) =>
      ({ kind: 'moved', appointment: toAppointmentSnapshot(row, { wasBooked: true }) }) as const,
  );
  await notify(context, database, artistId, notices);
}
