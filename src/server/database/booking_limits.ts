/** Reads the requests whose senders did not prove their email, and stores alarms about them. */
import { sql } from 'kysely';
import type { TimeRange } from '#domain/availability.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

const WEEKS_MS = 28 * DAY_MS;
/** An alarm is about the bookings until so long after it was raised. */
const ALARM_MS = DAY_MS;

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
    /** Of the last day, and confirmed ones of the last weeks. */
    of_network: number;
  }>`
    SELECT confirm_by_mail, of_hour, of_network_and_hour, of_network
    FROM artists, LATERAL (
      SELECT (count(*) FILTER (WHERE ${isRecent}))::int AS of_hour,
        (count(*) FILTER (WHERE ${isRecent} AND ${isOfNetwork}))::int AS of_network_and_hour,
        (count(*) FILTER (WHERE ${isOfNetwork}
          AND (status = 'confirmed' OR created_at > ${new Date(now - DAY_MS)})))::int AS of_network
      FROM appointments
      WHERE artist_id = artists.id AND created_at > ${new Date(now - WEEKS_MS)}
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

/** Lists the times, with buffers, that unproven requests of the last weeks take after `now`. */
export async function listUnprovenTimes(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<(TimeRange & { readonly network: string })[]> {
  const { rows } = await sql<{ start: Date; end: Date; network: string }>`
    SELECT lower(blocked) AS start, upper(blocked) AS "end", network
    FROM appointment_times JOIN appointments ON appointments.id = appointment_id
    WHERE appointments.artist_id = ${artistId} AND created_at > ${new Date(now - WEEKS_MS)}
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

/**
 * Inserts an alarm, and closes an open one that is older than a day.
 * @returns the id of the new alarm; undefined when the artist has an open one
 */
export async function insertBookingAlarm(database: Database, artistId: string, since: Instant) {
  await database
    .updateTable('booking_alarms')
    .set({ closed_at: sql`now()` })
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .where('raised_at', '<', sql<Date>`now() - ${ALARM_MS} * interval '1 millisecond'`)
    .execute();
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

/** Finds the open alarm of the last day. */
export function findOpenAlarm(database: Database, artistId: string) {
  return database
    .selectFrom('booking_alarms')
    .select(['id', 'since', 'raised_at'])
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .where('raised_at', '>=', sql<Date>`now() - ${ALARM_MS} * interval '1 millisecond'`)
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
 * Cancels all open unproven requests since an instant, and frees their times.
 * @returns how many were cancelled, and the ids of their mails that are not sent yet
 */
export async function cancelUnproven(database: Database, artistId: string, since: Instant) {
  const { rows } = await sql<{ cancelled: number; mail_ids: string[] }>`
    WITH cancelled AS (
      UPDATE appointments SET status = 'cancelled', version = version + 1, updated_at = now()
      WHERE ${isOpenUnproven(artistId, since)} RETURNING id
    ), freed AS (
      UPDATE appointment_times SET occupies = false, lapses_at = null
      FROM cancelled WHERE appointment_id = cancelled.id
    )
    SELECT (SELECT count(*)::int FROM cancelled) AS cancelled,
      (SELECT coalesce(array_agg(mails.id), '{}') FROM mails, cancelled
        WHERE appointment_id = cancelled.id AND mails.status = 'queued') AS mail_ids
  `.execute(database);
  return { cancelled: rows[0]?.cancelled ?? 0, mailIds: rows[0]?.mail_ids ?? [] };
}

function isOpenUnproven(artistId: string, since: Instant) {
  return sql`artist_id = ${artistId} AND created_at >= ${new Date(since)}
    AND network IS NOT NULL AND NOT email_proven
    AND status IN ('requested', 'held', 'offered', 'confirmed')`;
}

/** Expires holds that reserve no time and whose deadline has passed. Nobody is mailed about them. */
export async function expireUnreservedHolds(database: Database, now: Instant): Promise<void> {
  await sql`
    UPDATE appointments SET status = 'expired', version = version + 1, updated_at = now()
    FROM appointment_times
    WHERE appointment_id = appointments.id AND status = 'held' AND must_prove_email
      AND NOT occupies AND lapses_at <= ${new Date(now)}
  `.execute(database);
}

/** Forgets the networks of requests and messages that were created before an instant. */
export async function deleteOldNetworks(database: Database, before: Instant): Promise<void> {
  for (const table of ['appointments', 'messages'] as const)
    await database
      .updateTable(table)
      .set({ network: null })
      .where('network', 'is not', null)
      .where('created_at', '<', new Date(before))
      .execute();
}
