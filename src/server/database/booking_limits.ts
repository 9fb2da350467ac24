/** Reads the requests whose senders did not prove their email, and stores alarms about them. */
import { sql } from 'kysely';
import type { TimeRange } from '#domain/availability.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

const DAY_MS = 24 * HOUR_MS;
const WEEKS_MS = 28 * DAY_MS;

/**
 * Counts the unproven requests to an artist, and reads whether all their clients must confirm by
 * mail. Appointments that the artist entered do not count.
 */
export async function countUnprovenRequests(
  database: Database,
  artistId: string,
  network: string,
  now: Instant,
) {
  const isRecent = sql`created_at > ${new Date(now - HOUR_MS)}`;
  const isOfNetwork = sql`network = ${network}`;
  const { rows } = await sql<{
    confirm_by_mail: boolean;
    of_hour: number;
    of_network_and_hour: number;
    of_network_and_day: number;
  }>`
    SELECT confirm_by_mail, of_hour, of_network_and_hour, of_network_and_day
    FROM artists, LATERAL (
      SELECT (count(*) FILTER (WHERE ${isRecent}))::int AS of_hour,
        (count(*) FILTER (WHERE ${isRecent} AND ${isOfNetwork}))::int AS of_network_and_hour,
        (count(*) FILTER (WHERE ${isOfNetwork}))::int AS of_network_and_day
      FROM appointments
      WHERE artist_id = artists.id AND created_at > ${new Date(now - DAY_MS)}
        AND network IS NOT NULL AND NOT email_proven
    ) AS counts
    WHERE artists.id = ${artistId}
  `.execute(database);
  return rows[0];
}

/** The most requests of clients in a clock hour of the last weeks, without the last day. */
export async function countBusiestHour(database: Database, artistId: string, now: Instant) {
  const { rows } = await sql<{ busiest: number }>`
    SELECT coalesce(max(requests), 0)::int AS busiest FROM (
      SELECT count(*) AS requests FROM appointments
      WHERE artist_id = ${artistId} AND network IS NOT NULL
        AND status IN ('confirmed', 'completed', 'no_show', 'requested', 'declined')
        AND created_at BETWEEN ${new Date(now - WEEKS_MS)} AND ${new Date(now - DAY_MS)}
      GROUP BY date_trunc('hour', created_at)
    ) AS hours
  `.execute(database);
  return rows[0]?.busiest ?? 0;
}

/** Lists the times, with buffers, that unproven requests of the last day take after `now`. */
export async function listUnprovenTimes(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<(TimeRange & { readonly network: string })[]> {
  const { rows } = await sql<{ start: Date; end: Date; network: string }>`
    SELECT lower(blocked) AS start, upper(blocked) AS "end", network
    FROM appointment_times JOIN appointments ON appointments.id = appointment_id
    WHERE appointments.artist_id = ${artistId} AND created_at > ${new Date(now - DAY_MS)}
      AND network IS NOT NULL AND NOT email_proven AND occupies
      AND (lapses_at IS NULL OR lapses_at > ${new Date(now)})
      AND upper(blocked) > ${new Date(now)}
    ORDER BY lower(blocked)
  `.execute(database);
  return rows.map(({ start, end, network }) => ({
    start: start.getTime(),
    end: end.getTime(),
    network,
  }));
}

/** The duration, in minutes, of the longest service that clients can book; undefined for none. */
export async function findLongestDuration(database: Database, artistId: string) {
  const { longest } = await database
    .selectFrom('services')
    .select((eb) => eb.fn.max('duration_minutes').as('longest'))
    .where('artist_id', '=', artistId)
    .where('is_available', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return longest ?? undefined;
}

/** What decides on which dates clients can book. */
export function findBookingRange(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .innerJoin('schedules', 'schedules.artist_id', 'artists.id')
    .select(['booking_range', 'time_zone'])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
}

/** The instant since which unproven requests count for a new alarm: after the last one was closed. */
export async function findAlarmStart(database: Database, artistId: string, now: Instant) {
  const { closed } = await database
    .selectFrom('booking_alarms')
    .select((eb) => eb.fn.max('closed_at').as('closed'))
    .where('artist_id', '=', artistId)
    .executeTakeFirstOrThrow();
  return Math.max(closed?.getTime() ?? 0, now - HOUR_MS);
}

/** Counts the unproven requests since an instant that are not cancelled, declined or expired. */
export async function countOpenUnproven(database: Database, artistId: string, since: Instant) {
  const { rows } = await sql<{ bookings: number; networks: number; confirmed: number }>`
    SELECT count(*)::int AS bookings, count(DISTINCT network)::int AS networks,
      (count(*) FILTER (WHERE status = 'confirmed'))::int AS confirmed
    FROM appointments WHERE ${isOpenUnproven(artistId, since)}
  `.execute(database);
  return rows[0] ?? { bookings: 0, networks: 0, confirmed: 0 };
}

/** @returns the id of the new alarm; undefined when the artist has an open one */
export async function insertBookingAlarm(database: Database, artistId: string, since: Instant) {
  const row = await database
    .insertInto('booking_alarms')
    .values({ artist_id: artistId, since: new Date(since) })
    .onConflict((conflict) =>
      conflict.column('artist_id').where('closed_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export function findOpenAlarm(database: Database, artistId: string) {
  return database
    .selectFrom('booking_alarms')
    .select(['id', 'since', 'raised_at'])
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
}

/** Closes an alarm that may be closed already. @returns false when the artist has no such alarm */
export async function dismissBookingAlarm(database: Database, artistId: string, id: string) {
  const { numUpdatedRows } = await database
    .updateTable('booking_alarms')
    .set({ closed_at: sql`coalesce(closed_at, now())` })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns the alarm; undefined when the artist has no open alarm with this id */
export function closeBookingAlarm(database: Database, artistId: string, id: string) {
  return database
    .updateTable('booking_alarms')
    .set({ closed_at: sql`now()` })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .returning(['id', 'since'])
    .executeTakeFirst();
}

/**
 * Cancels all open unproven requests since an instant, frees their times and drops their mails that
 * are not sent yet.
 * @returns how many appointments were cancelled
 */
export async function cancelUnproven(database: Database, artistId: string, since: Instant) {
  const { rows } = await sql<{ cancelled: number }>`
    WITH cancelled AS (
      UPDATE appointments SET status = 'cancelled', version = version + 1, updated_at = now()
      WHERE ${isOpenUnproven(artistId, since)} RETURNING id
    ), freed AS (
      UPDATE appointment_times SET occupies = false, lapses_at = null
      FROM cancelled WHERE appointment_id = cancelled.id
    ), dropped AS (
      UPDATE mails SET status = 'dropped', settled_at = now()
      FROM cancelled WHERE appointment_id = cancelled.id AND mails.status = 'queued'
    )
    SELECT count(*)::int AS cancelled FROM cancelled
  `.execute(database);
  return rows[0]?.cancelled ?? 0;
}

function isOpenUnproven(artistId: string, since: Instant) {
  return sql`artist_id = ${artistId} AND created_at >= ${new Date(since)}
    AND network IS NOT NULL AND NOT email_proven
    AND status IN ('requested', 'held', 'offered', 'confirmed')`;
}

/** Forgets the networks of requests that were created before an instant. */
export async function deleteOldNetworks(database: Database, before: Instant): Promise<void> {
  await database
    .updateTable('appointments')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('created_at', '<', new Date(before))
    .execute();
}
