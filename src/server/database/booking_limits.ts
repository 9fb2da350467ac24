/** Reads the requests that count for limits, and stores alarms about unproven ones. */
import { sql } from 'kysely';
import type { TimeRange } from '#domain/availability.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

const WEEKS_MS = 28 * DAY_MS;
/** An alarm ends after this time. */
const ALARM_MS = DAY_MS;
/** An alarm is about the requests that follow each other within this time. */
const BATCH_GAP_MS = HOUR_MS / 2;

/**
 * Counts the requests to an artist, and reads whether all their clients must confirm by mail.
 * Appointments that the artist entered do not count.
 */
export async function countRequests(
  database: Database,
  artistId: string,
  network: string,
  now: Instant,
) {
  const isRecent = sql`created_at > ${new Date(now - HOUR_MS)}`;
  const isOfDay = sql`created_at > ${new Date(now - DAY_MS)}`;
  const isOfNetwork = sql`network = ${network}`;
  const { rows } = await sql<{
    confirm_by_mail: boolean;
    of_hour: number;
    of_day: number;
    of_network_and_hour: number;
    /** Of the last day, and confirmed ones of the last weeks. */
    of_network: number;
  }>`
    SELECT confirm_by_mail, of_hour, of_day, of_network_and_hour, of_network
    FROM artists, LATERAL (
      SELECT (count(*) FILTER (WHERE ${isRecent}))::int AS of_hour,
        (count(*) FILTER (WHERE ${isOfDay}))::int AS of_day,
        (count(*) FILTER (WHERE ${isRecent} AND ${isOfNetwork}))::int AS of_network_and_hour,
        (count(*) FILTER (WHERE ${isOfNetwork}
          AND (status = 'confirmed' OR ${isOfDay})))::int AS of_network
      FROM appointments
      WHERE artist_id = artists.id AND created_at > ${new Date(now - WEEKS_MS)}
        AND network IS NOT NULL AND counts_for_limits
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

/** A reserved time that a client requested, with its buffer. */
export interface RequestedTime extends TimeRange {
  readonly id: string;
  readonly network: string;
  readonly email: string | null;
  readonly isProven: boolean;
  readonly countsForLimits: boolean;
  readonly requestedAt: Instant;
}

/** Lists the reserved times after `now` that clients requested in the last weeks. */
export async function listRequestedTimes(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<RequestedTime[]> {
  const { rows } = await sql<{
    id: string;
    start: Date;
    end: Date;
    network: string;
    email: string | null;
    email_proven: boolean;
    counts_for_limits: boolean;
    created_at: Date;
  }>`
    SELECT appointments.id, lower(blocked) AS start, upper(blocked) AS "end", network, email,
      email_proven, counts_for_limits, created_at
    FROM appointment_times JOIN appointments ON appointments.id = appointment_id
    WHERE appointments.artist_id = ${artistId} AND created_at > ${new Date(now - WEEKS_MS)}
      AND network IS NOT NULL AND occupies
      AND (lapses_at IS NULL OR lapses_at > ${new Date(now)})
      AND upper(blocked) > ${new Date(now)}
    ORDER BY lower(blocked)
  `.execute(database);
  return rows.map(({ id, start, end, network, email, ...row }) => ({
    id,
    start: start.getTime(),
    end: end.getTime(),
    network,
    email,
    isProven: row.email_proven,
    countsForLimits: row.counts_for_limits,
    requestedAt: row.created_at.getTime(),
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

/**
 * The instant since which no alarm is about the unproven requests of the last day: when the last
 * alarm was closed, its batch ended or its day was over.
 */
export async function findUnalarmedStart(database: Database, artistId: string, now: Instant) {
  const { rows } = await sql<{ end: Date | null }>`
    SELECT max(least(closed_at, until, raised_at + ${ALARM_MS} * interval '1 millisecond')) AS "end"
    FROM booking_alarms WHERE artist_id = ${artistId}
  `.execute(database);
  return Math.max(rows[0]?.end?.getTime() ?? 0, now - DAY_MS);
}

/** Counts the open unproven requests that were created since an instant. */
export async function countNewUnproven(
  database: Database,
  artistId: string,
  since: Instant,
  now: Instant,
) {
  const { rows } = await sql<{ of_day: number; of_hour: number }>`
    SELECT count(*)::int AS of_day,
      (count(*) FILTER (WHERE created_at > ${new Date(now - HOUR_MS)}))::int AS of_hour
    FROM appointments WHERE ${isOpenUnproven(artistId)} AND created_at >= ${new Date(since)}
  `.execute(database);
  const { of_day: ofDay = 0, of_hour: ofHour = 0 } = rows[0] ?? {};
  return { ofDay, ofHour };
}

/** When an alarm's batch began, included, and when it ends, excluded. */
export interface Batch {
  readonly since: Date;
  readonly until: Date;
}

/** Counts the requests that an alarm is about. */
export async function countBatch(database: Database, artistId: string, batch: Batch) {
  const { rows } = await sql<{ bookings: number; networks: number; confirmed: number }>`
    SELECT count(*)::int AS bookings, count(DISTINCT network)::int AS networks,
      (count(*) FILTER (WHERE status = 'confirmed'))::int AS confirmed
    FROM appointments WHERE ${isOfBatch(artistId, batch)}
  `.execute(database);
  return rows[0] ?? { bookings: 0, networks: 0, confirmed: 0 };
}

/** A request came in: the open alarm, if its batch has not ended yet, is about it too. */
export async function extendBatch(database: Database, artistId: string, now: Instant) {
  const { numUpdatedRows } = await database
    .updateTable('booking_alarms')
    .set({ until: new Date(now + BATCH_GAP_MS) })
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .where('until', '>', new Date(now))
    .where('raised_at', '>=', new Date(now - ALARM_MS))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Inserts an alarm, and closes an open one that is older than a day. If the batch of the open alarm
 * has ended, it is about the new batch too.
 * @returns the id of the new alarm; undefined when the artist has an open one
 */
export async function insertBookingAlarm(
  database: Database,
  artistId: string,
  since: Instant,
  now: Instant,
) {
  await database
    .updateTable('booking_alarms')
    .set({ closed_at: new Date(now) })
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .where('raised_at', '<', new Date(now - ALARM_MS))
    .execute();
  const until = new Date(now + BATCH_GAP_MS);
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    INSERT INTO booking_alarms (artist_id, since, until, raised_at)
    VALUES (${artistId}, ${new Date(since)}, ${until}, ${new Date(now)})
    ON CONFLICT (artist_id) WHERE closed_at IS NULL DO UPDATE SET until = ${until}
    RETURNING id, raised_at = ${new Date(now)} AS is_new
  `.execute(database);
  return rows[0]?.is_new ? rows[0].id : undefined;
}

/** Finds the open alarm of the last day. */
export function findOpenAlarm(database: Database, artistId: string) {
  return database
    .selectFrom('booking_alarms')
    .select(['id', 'since', 'until', 'raised_at'])
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
    .returning(['since', 'until'])
    .executeTakeFirst();
}

/**
 * Cancels the requests that an alarm is about, and frees their times.
 * @returns how many were cancelled, and the ids of their mails that are not sent yet
 */
export async function cancelBatch(database: Database, artistId: string, batch: Batch) {
  const { rows } = await sql<{ cancelled: number; mail_ids: string[] }>`
    WITH cancelled AS (
      UPDATE appointments SET status = 'cancelled', version = version + 1, updated_at = now()
      WHERE ${isOfBatch(artistId, batch)} RETURNING id
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

/** A condition of queries of `appointments`: an alarm is about the appointment. */
export function isInBatch(artistId: string, batch: Batch) {
  return sql<boolean>`appointments.id IN (
    SELECT id FROM appointments WHERE ${isOfBatch(artistId, batch)}
  )`;
}

/**
 * The open unproven requests of a time, without those whose times the artist has set, and without
 * the only one of a client whom the artist knew before.
 */
function isOfBatch(artistId: string, { since, until }: Batch) {
  const isOfTime = sql`created_at >= ${since} AND created_at < ${until}`;
  return sql`${isOpenUnproven(artistId)} AND ${isOfTime} AND NOT is_set_by_artist
    AND NOT (
      EXISTS (SELECT FROM clients WHERE clients.id = client_id AND clients.created_at < ${since})
      AND NOT EXISTS (
        SELECT FROM appointments AS other
        WHERE other.artist_id = ${artistId} AND other.client_id = appointments.client_id
          AND other.id <> appointments.id AND other.created_at >= ${since}
          AND other.created_at < ${until} AND other.network IS NOT NULL
      )
    )`;
}

function isOpenUnproven(artistId: string) {
  return sql`appointments.artist_id = ${artistId} AND network IS NOT NULL AND NOT email_proven
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
