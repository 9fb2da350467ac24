/** Reads the requests that count for limits, and stores alarms about them. */
import { type RawBuilder, sql } from 'kysely';
import type { TimeRange } from '#domain/availability.ts';
import { widerNetwork } from '#domain/network.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time.ts';
import { lengthenBuffers, shortenedBefore } from './calendar.ts';
import type { Database } from './connect.ts';
import { BATCH, countChanged, inBatches, isInNextBatch } from './in_batches.ts';

const WEEKS_MS = 28 * DAY_MS;
/** An alarm ends after this time. */
const ALARM_MS = DAY_MS;
/** An alarm is about the requests that follow each other within this time. */
const BATCH_GAP_MS = HOUR_MS / 2;
/** From this many networks with requests on, a /48 counts as one network. */
const CROWDED_48_NETWORKS = 4;

interface CountedSender {
  readonly artistId: string;
  readonly network: string;
  /** An appointment that is judged now, and so does not count; null for none. */
  readonly appointmentId: string | null;
}

/** A condition: the column `network` of a table is this network, or a part of it. */
export function isOfNetwork(column: RawBuilder<unknown>, network: string) {
  return network.endsWith('/48')
    ? sql<boolean>`(CASE WHEN ${column} LIKE '%::/56' THEN ${column}::inet <<= ${network}::inet ELSE false END)`
    : sql<boolean>`${column} = ${network}`;
}

/**
 * The network by which requests to an artist are counted: that of a sender, or the /48 of IPv6 around it
 * once several of its networks have sent requests that count.
 */
export async function findCountedNetwork(
  database: Database,
  { artistId, network, appointmentId }: CountedSender,
  now: Instant,
): Promise<string> {
  const wider = widerNetwork(network);
  if (wider === null) return network;
  const { rows } = await sql<{ networks: number }>`
    SELECT count(DISTINCT network)::int AS networks FROM appointments
    WHERE artist_id = ${artistId} AND counted_at > ${new Date(now - WEEKS_MS)}
      AND network IS NOT NULL AND counts_for_limits AND id IS DISTINCT FROM ${appointmentId}
      AND network <> ${network} AND ${isOfNetwork(sql.ref('network'), wider)}
  `.execute(database);
  return (rows[0]?.networks ?? 0) >= CROWDED_48_NETWORKS - 1 ? wider : network;
}

/**
 * Counts the requests to an artist, and reads whether all their clients must confirm by mail.
 * Appointments that the artist entered do not count.
 */
export async function countRequests(
  database: Database,
  { artistId, network, appointmentId }: CountedSender,
  now: Instant,
) {
  const isRecent = sql`counted_at > ${new Date(now - HOUR_MS)}`;
  const isOfDay = sql`counted_at > ${new Date(now - DAY_MS)}`;
  const isOfSender = isOfNetwork(sql.ref('network'), network);
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
        (count(*) FILTER (WHERE ${isRecent} AND ${isOfSender}))::int AS of_network_and_hour,
        (count(*) FILTER (WHERE ${isOfSender}
          AND (status = 'confirmed' OR ${isOfDay})))::int AS of_network
      FROM appointments
      WHERE artist_id = artists.id AND counted_at > ${new Date(now - WEEKS_MS)}
        AND network IS NOT NULL AND counts_for_limits AND id IS DISTINCT FROM ${appointmentId}
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
        AND counted_at BETWEEN ${new Date(now - WEEKS_MS)} AND ${new Date(now - DAY_MS)}
      GROUP BY date_trunc('hour', counted_at)
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
  readonly isSetByArtist: boolean;
  /** When it was requested, or confirmed after its deadline. */
  readonly countedAt: Instant;
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
    is_set_by_artist: boolean;
    counted_at: Date;
  }>`
    SELECT appointments.id, lower(blocked) AS start, upper(blocked) AS "end", network, email,
      email_proven, counts_for_limits, is_set_by_artist, counted_at
    FROM appointment_times JOIN appointments ON appointments.id = appointment_id
    WHERE appointments.artist_id = ${artistId} AND counted_at > ${new Date(now - WEEKS_MS)}
      AND network IS NOT NULL AND occupies
      AND (expires_at IS NULL OR expires_at > ${new Date(now)})
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
    isSetByArtist: row.is_set_by_artist,
    countedAt: row.counted_at.getTime(),
  }));
}

/** The different lengths of what clients can book, in minutes, the longest first. */
export async function listDurations(
  database: Database,
  artistId: string,
): Promise<readonly number[]> {
  const { rows } = await sql<{ minutes: number }>`
    SELECT duration_minutes AS minutes FROM services
    WHERE artist_id = ${artistId} AND is_available AND deleted_at IS NULL
    UNION
    SELECT duration_minutes FROM designs
    WHERE artist_id = ${artistId} AND status = 'available' AND deleted_at IS NULL
      AND duration_minutes IS NOT NULL
    ORDER BY minutes DESC`.execute(database);
  return rows.map(({ minutes }) => minutes);
}

/** What decides on which dates clients can book. */
export function findBookingRange(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .innerJoin('schedules', 'schedules.artist_id', 'artists.id')
    .select(['booking_range', 'time_zone'])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
}

/**
 * The instant since which no alarm is about the requests of the last day: when the last
 * alarm was closed, its batch ended or its day was over.
 */
export async function findUnalarmedStart(database: Database, artistId: string, now: Instant) {
  const { rows } = await sql<{ end: Date | null }>`
    SELECT max(least(closed_at, until, raised_at + ${ALARM_MS} * interval '1 millisecond')) AS "end"
    FROM booking_alarms WHERE artist_id = ${artistId}
  `.execute(database);
  return Math.max(rows[0]?.end?.getTime() ?? 0, now - DAY_MS);
}

/** Counts the open requests since an instant that are suspicious when they are many. */
export async function countNewRequests(
  database: Database,
  artistId: string,
  since: Instant,
  now: Instant,
) {
  const { rows } = await sql<{ of_day: number; of_hour: number }>`
    SELECT count(*)::int AS of_day,
      (count(*) FILTER (WHERE counted_at > ${new Date(now - HOUR_MS)}))::int AS of_hour
    FROM appointments
    WHERE ${isOpenAndCounted} AND artist_id = ${artistId} AND counted_at >= ${new Date(since)}
  `.execute(database);
  const { of_day: ofDay = 0, of_hour: ofHour = 0 } = rows[0] ?? {};
  return { ofDay, ofHour };
}

/** Counts the requests that the button of an alarm cancels. */
export async function countBatch(database: Database, alarmId: string) {
  const { rows } = await sql<{ bookings: number; networks: number; confirmed: number }>`
    SELECT count(*)::int AS bookings, count(DISTINCT network)::int AS networks,
      (count(*) FILTER (WHERE status = 'confirmed'))::int AS confirmed
    FROM appointments WHERE ${isOfBatch(alarmId)}
  `.execute(database);
  return rows[0] ?? { bookings: 0, networks: 0, confirmed: 0 };
}

/**
 * Adds a new request to the open alarm, if the last request before it came in shortly before.
 * @returns whether it was added
 */
export async function addToAlarm(
  transaction: Database,
  artistId: string,
  appointmentId: string,
  now: Instant,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH alarm AS (
      UPDATE booking_alarms SET until = ${new Date(now + BATCH_GAP_MS)}
      WHERE artist_id = ${artistId} AND closed_at IS NULL AND until > ${new Date(now)}
        AND raised_at >= ${new Date(now - ALARM_MS)}
      RETURNING id
    )
    UPDATE appointments SET alarm_id = alarm.id FROM alarm
    WHERE appointments.id = ${appointmentId} AND appointments.artist_id = ${artistId}
  `.execute(transaction);
  return numAffectedRows === 1n;
}

/**
 * Raises an alarm about the open requests since an instant that count for limits. Closes an open
 * alarm that is older than a day; a younger one is about these requests too.
 * @returns the alarm's id, and whether it is new
 */
export async function raiseBookingAlarm(
  transaction: Database,
  artistId: string,
  since: Instant,
  now: Instant,
): Promise<{ id: string; isNew: boolean }> {
  await transaction
    .updateTable('booking_alarms')
    .set({ closed_at: new Date(now) })
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .where('raised_at', '<', new Date(now - ALARM_MS))
    .execute();
  const until = new Date(now + BATCH_GAP_MS);
  const { id, raised_at } = await transaction
    .insertInto('booking_alarms')
    .values({ artist_id: artistId, since: new Date(since), until, raised_at: new Date(now) })
    .onConflict((conflict) =>
      conflict.column('artist_id').where('closed_at', 'is', null).doUpdateSet({ until }),
    )
    .returning(['id', 'raised_at'])
    .executeTakeFirstOrThrow();
  await sql`
    UPDATE appointments SET alarm_id = ${id}
    WHERE ${isOpenAndCounted} AND artist_id = ${artistId} AND alarm_id IS NULL
      AND counted_at >= ${new Date(since)}
  `.execute(transaction);
  return { id, isNew: raised_at.getTime() === now };
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

/** Closes the open alarm. @returns false when the artist has no open alarm with this id */
export async function closeBookingAlarm(database: Database, artistId: string, id: string) {
  const { numUpdatedRows } = await database
    .updateTable('booking_alarms')
    .set({ closed_at: sql`now()` })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Cancels the artist's requests that an alarm is about, and frees their times.
 * @returns how many were cancelled, and the ids of their mails that are not sent yet
 */
export async function cancelBatch(database: Database, artistId: string, alarmId: string) {
  const { rows } = await sql<{ cancelled: number; mail_ids: string[]; shortened: string[] }>`
    WITH batch AS (
      SELECT id, status AS was, (
        SELECT min(lower(during)) FROM appointment_times WHERE appointment_id = appointments.id
      ) AS start
      FROM appointments WHERE ${isOfBatch(alarmId)}
    ), cancelled AS (
      UPDATE appointments SET status = 'cancelled', version = version + 1, updated_at = now()
      FROM batch WHERE appointments.id = batch.id AND status = was RETURNING appointments.id, was, start
    ), events AS (
      INSERT INTO appointment_events
        (appointment_id, actor, what, from_status, to_status, from_start, to_start)
      SELECT id, 'artist', 'cancelled', was, 'cancelled', start, start FROM cancelled
    ), freed AS (
      UPDATE appointment_times SET occupies = false, expires_at = null
      FROM cancelled WHERE appointment_id = cancelled.id
      RETURNING ${shortenedBefore} AS shortened
    )
    SELECT (SELECT count(*)::int FROM cancelled) AS cancelled,
      (SELECT coalesce(array_agg(mails.id), '{}') FROM mails, cancelled
        WHERE appointment_id = cancelled.id AND mails.status = 'queued') AS mail_ids,
      ARRAY(SELECT shortened FROM freed WHERE shortened IS NOT NULL) AS shortened
  `.execute(database);
  const released = (rows[0]?.shortened ?? []).map((shortened) => ({ shortened }));
  await lengthenBuffers(database, artistId, released);
  return { cancelled: rows[0]?.cancelled ?? 0, mailIds: rows[0]?.mail_ids ?? [] };
}

/** A condition of queries of `appointments`: the button of an alarm cancels the appointment. */
export function isInBatch(alarmId: string) {
  return sql<boolean>`appointments.id IN (SELECT id FROM appointments WHERE ${isOfBatch(alarmId)})`;
}

const isOpenAndCounted = sql`network IS NOT NULL AND counts_for_limits AND NOT is_set_by_artist
  AND status IN ('requested', 'held', 'offered', 'confirmed')`;

/**
 * Not of the batch are requests whose emails are proven, unless three of the alarm have one domain,
 * and the only open request of a client who has been to an appointment before.
 */
function isOfBatch(alarmId: string) {
  return sql`alarm_id = ${alarmId} AND ${isOpenAndCounted}
    AND (NOT email_proven OR 3 <= (
      SELECT count(*) FROM appointments AS of_domain
      WHERE of_domain.alarm_id = ${alarmId} AND of_domain.email_proven AND split_part(lower(of_domain.email), '@', 2)
        = split_part(lower(appointments.email), '@', 2)
    ))
    AND NOT (
      EXISTS (
        SELECT FROM appointments AS earlier
        JOIN appointment_times ON appointment_id = earlier.id
        JOIN booking_alarms ON booking_alarms.id = ${alarmId}
        WHERE earlier.client_id = appointments.client_id
          AND earlier.status IN ('confirmed', 'completed')
          AND upper(during) < booking_alarms.since
      )
      AND 1 = (
        SELECT count(*) FROM appointments AS of_client
        WHERE of_client.alarm_id = ${alarmId} AND of_client.client_id = appointments.client_id
          AND of_client.status IN ('requested', 'held', 'offered', 'confirmed')
      )
    )`;
}

/** Expires holds that reserve no time and whose deadline has passed. Nobody is mailed about them. */
export async function expireUnreservedHolds(database: Database, now: Instant): Promise<void> {
  const expire = sql`
    WITH due AS (
      SELECT appointments.id, lower(during) AS start, expires_at
      FROM appointments JOIN appointment_times ON appointment_id = appointments.id
      WHERE status = 'held' AND must_prove_email AND NOT occupies
        AND expires_at <= ${new Date(now)}
      LIMIT ${sql.lit(BATCH)} FOR UPDATE SKIP LOCKED
    ), expired AS (
      UPDATE appointments SET status = 'expired', updated_at = now()
      FROM due WHERE appointments.id = due.id
      RETURNING due.*
    )
    INSERT INTO appointment_events
      (appointment_id, actor, what, happened_at, from_status, to_status, from_start, to_start)
    SELECT id, 'system', 'expired', expires_at, 'held', 'expired', start, start FROM expired
  `;
  await inBatches(() => countChanged(database, expire));
}

/** Forgets the networks of requests, messages and mails that are older than an instant. */
export async function deleteOldNetworks(database: Database, before: Instant): Promise<void> {
  const isOld = sql`created_at < ${new Date(before)}`;
  // A move counts later than the request. The index is on `created_at`, which is never later.
  const isOldRequest = sql`network IS NOT NULL AND ${isOld} AND counted_at < ${new Date(before)}`;
  const isOldMessage = sql`network IS NOT NULL AND ${isOld}`;
  // The source of a mail that its artist has caused is their id.
  const isOldMail = sql`source <> sender_id::text AND ${isOld}`;
  for (const update of [
    sql`UPDATE appointments SET network = NULL
      WHERE ${isInNextBatch('appointments', 'created_at', isOldRequest)}`,
    sql`UPDATE messages SET network = NULL
      WHERE ${isInNextBatch('messages', 'created_at', isOldMessage)}`,
    sql`UPDATE mails SET source = NULL WHERE ${isInNextBatch('mails', 'created_at', isOldMail)}`,
  ])
    await inBatches(() => countChanged(database, update));
}
