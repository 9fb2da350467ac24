/** What was agreed about the starts of appointments: `agreed_local` and `agreed_zone` of their times. */
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { type AgreedTime, agreedTimeAt } from '#domain/agreed_time.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import type { AppointmentTimes, DB } from './tables.ts';

/** The columns of `appointment_times`. */
export function toAgreedColumns({ local, zone }: AgreedTime) {
  return { agreed_local: local, agreed_zone: zone };
}

/** Null while it is not known. */
export function toAgreedTime(
  row: Pick<Selectable<AppointmentTimes>, 'agreed_local' | 'agreed_zone'>,
): AgreedTime | null {
  const { agreed_local: local, agreed_zone: zone } = row;
  return local === null || zone === null ? null : { local, zone };
}

/** Times after `now` of requests, holds, offers and confirmed appointments. */
export function isUpcoming(now: Instant) {
  const date = new Date(now);
  return ({ and, eb, or }: ExpressionBuilder<DB, 'appointment_times' | 'appointments'>) =>
    and([
      sql<boolean>`during && tstzrange(${date}, NULL)`,
      eb(sql`lower(during)`, '>', date),
      eb('appointments.status', 'in', ['requested', 'held', 'offered', 'confirmed']),
      or([eb('expires_at', 'is', null), eb('expires_at', '>', date)]),
    ]);
}

/** Lists the ids of artists with times ahead of which is not known what was agreed. */
export async function listArtistsWithoutAgreedTimes(
  database: Database,
  now: Instant,
): Promise<string[]> {
  const rows = await database
    .selectFrom('appointment_times')
    .select('artist_id')
    .distinct()
    .where('agreed_local', 'is', null)
    .where(sql`lower(during)`, '>', new Date(now))
    .execute();
  return rows.map(({ artist_id }) => artist_id);
}

/**
 * Stores what clocks show now as what was agreed, for the artist's times ahead of which it is not known:
 * they are from before the migration or from an older server, or their studio has got another zone. Call
 * it under the lock of the calendar.
 */
export async function fillAgreedTimes(
  transaction: Database,
  artistId: string,
  now: Instant,
): Promise<void> {
  const rows = await transaction
    .selectFrom('appointment_times')
    .innerJoin('studios', 'studios.id', 'appointment_times.studio_id')
    .select(['appointment_times.id', 'time_zone', sql<Date>`lower(during)`.as('start')])
    .where('artist_id', '=', artistId)
    .where('agreed_local', 'is', null)
    .where(sql`lower(during)`, '>', new Date(now))
    .execute();
  if (rows.length === 0) return;
  const agreed = rows.map(({ time_zone, start }) => agreedTimeAt(time_zone, start.getTime()));
  await sql`
    UPDATE appointment_times SET agreed_local = new.local, agreed_zone = new.zone
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${agreed.map(({ local }) => local)}::text[],
      ${agreed.map(({ zone }) => zone)}::text[]) AS new (id, local, zone)
    WHERE appointment_times.id = new.id AND artist_id = ${artistId}
  `.execute(transaction);
}

/** Counts the times ahead of all artists by start and by what was agreed. */
export async function countAgreedTimes(
  database: Database,
  now: Instant,
): Promise<{ readonly start: Instant; readonly agreed: AgreedTime; readonly count: number }[]> {
  const start = sql<Date>`lower(during)`;
  const rows = await database
    .selectFrom('appointment_times')
    .innerJoin('appointments', 'appointments.id', 'appointment_times.appointment_id')
    .select([
      'agreed_local',
      'agreed_zone',
      start.as('start'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .where(isUpcoming(now))
    .where('agreed_local', 'is not', null)
    .groupBy(['agreed_local', 'agreed_zone', start])
    .execute();
  return rows.flatMap((row) => {
    const agreed = toAgreedTime(row);
    return agreed ? [{ start: row.start.getTime(), agreed, count: row.count }] : [];
  });
}
