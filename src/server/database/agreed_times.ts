/**
 * The agreed starts of appointments: the clock time and the zone that artist and client have seen, in the columns
 * `agreed_local` and `agreed_zone`. They stay when the rules of the zone change.
 */
import { type Selectable, sql } from 'kysely';
import { type AgreedTime, agreedTimeAt } from '#domain/studio/agreed_time.ts';
import type { Instant } from '#domain/time/time.ts';
import { isTimeZone } from '#domain/time/time_zone.ts';
import type { Database, Transaction } from './connect.ts';
import { BATCH } from './in_batches.ts';
import type { AppointmentTimes } from './tables.ts';

/** Converts to the columns of `appointment_times`. */
export function toAgreedColumns({ local, zone }: AgreedTime) {
  return { agreed_local: local, agreed_zone: zone };
}

/** Converts the columns of `appointment_times`; null while the agreed time is unknown. */
export function toAgreedTime(
  row: Pick<Selectable<AppointmentTimes>, 'agreed_local' | 'agreed_zone'>,
): AgreedTime | null {
  const { agreed_local: local, agreed_zone: zone } = row;
  return local === null || zone === null ? null : { local, zone };
}

/**
 * A condition of queries of `appointment_times` and `appointments`: the time begins after `now`, and takes
 * place or may take place.
 */
export function isTimeAhead(now: Instant) {
  const date = new Date(now);
  // The first line follows from the second. It lets PostgreSQL use the index on `during`.
  return sql<boolean>`(during && tstzrange(${date}, NULL)
    AND lower(during) > ${date}
    AND appointments.status IN ('requested', 'held', 'offered', 'confirmed')
    AND (expires_at IS NULL OR expires_at > ${date}))`;
}

/**
 * Stores the present clock time as the agreed one, for the artist's future times whose agreed clock time is
 * not known: an older server stored them, or their studio has got another zone. Call it under the lock of
 * the calendar.
 */
export async function fillAgreedTimes(
  transaction: Transaction,
  artistId: string,
  now: Instant,
): Promise<void> {
  const times = selectWithoutAgreed(transaction, now).where('artist_id', '=', artistId);
  await updateAgreed(transaction, await times.execute());
}

/**
 * Like `fillAgreedTimes`, for a batch of the times of all artists, which needs no lock of a calendar: until the
 * transaction ends, neither the times nor their studios change. Those that others have locked are left for later.
 * @returns how many
 */
export async function fillNextAgreedTimes(transaction: Transaction, now: Instant): Promise<number> {
  const times = await selectWithoutAgreed(transaction, now)
    .orderBy('start')
    .limit(sql.lit(BATCH))
    .forNoKeyUpdate(['appointment_times', 'studios'])
    .skipLocked()
    .execute();
  await updateAgreed(transaction, times);
  return times.length;
}

function selectWithoutAgreed(transaction: Transaction, now: Instant) {
  return transaction
    .selectFrom('appointment_times')
    .innerJoin('studios', 'studios.id', 'appointment_times.studio_id')
    .select(['appointment_times.id', 'time_zone', sql<Date>`lower(during)`.as('start')])
    .where('agreed_local', 'is', null)
    .where(sql`lower(during)`, '>', new Date(now));
}

async function updateAgreed(
  transaction: Transaction,
  times: readonly { readonly id: string; readonly time_zone: string; readonly start: Date }[],
): Promise<void> {
  // Another version of the zone data may know zones that this one does not.
  const known = times.filter(({ time_zone }) => isTimeZone(time_zone));
  if (known.length === 0) return;
  const agreed = known.map(({ time_zone, start }) => agreedTimeAt(time_zone, start.getTime()));
  await sql`
    UPDATE appointment_times SET agreed_local = new.local, agreed_zone = new.zone
    FROM unnest(${known.map(({ id }) => id)}::uuid[], ${agreed.map(({ local }) => local)}::text[],
      ${agreed.map(({ zone }) => zone)}::text[]) AS new (id, local, zone)
    WHERE appointment_times.id = new.id
  `.execute(transaction);
}

/** Counts the times ahead of all artists by start and by agreed time. */
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
    .where(isTimeAhead(now))
    .where('agreed_local', 'is not', null)
    .groupBy(['agreed_local', 'agreed_zone', start])
    .execute();
  return rows.flatMap((row) => {
    const agreed = toAgreedTime(row);
    return agreed ? [{ start: row.start.getTime(), agreed, count: row.count }] : [];
  });
}
