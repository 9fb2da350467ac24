/**
 * Reads the requests that count for limits, and stores alarms, which warn the artist of too many. The batch of an
 * alarm: the requests that its button in the studio cancels.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TimeRange } from '#domain/booking/availability.ts';
import type { CountedRequests, NewRequests } from '#domain/booking/booking_limits.ts';
import { requireFound } from '#domain/refusal.ts';
import { FREE_REQUESTS_OF_ARTIST, FREE_REQUESTS_OF_NETWORK } from '#domain/requests/limits.ts';
import { widerNetwork } from '#domain/requests/network.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';
import { epochMs } from './epoch_ms.ts';
import { countChanged, inBatches, isInNextBatch } from './in_batches.ts';

/** Older requests do not count. */
const COUNTED_MS = 28 * DAY_MS;
/** An alarm ends after this time. */
const ALARM_MS = DAY_MS;
/** An alarm is about the requests that follow each other within this time. */
const BATCH_GAP_MS = HOUR_MS / 2;
/** If this many networks of one /48 (IPv6) have sent requests, the /48 counts as one network. */
const CROWDED_48_NETWORKS = 4;

/** A condition: the column `network` of a table is this network, or a part of it (IPv6). */
export function isOfNetwork(column: RawBuilder<unknown>, network: string) {
  return network.endsWith('/48')
    ? sql<boolean>`(CASE WHEN ${column} LIKE '%::/56' THEN ${column}::inet <<= ${network}::inet ELSE false END)`
    : sql<boolean>`${column} = ${network}`;
}

/** A sender of requests to an artist, and their appointment that is judged now: it does not count. */
export interface CountedSender {
  readonly artistId: string;
  readonly network: string;
  /** Null for none. */
  readonly appointmentId: string | null;
}

/** The counts of a sender and an artist that limits judge. */
export interface RequestCounts extends CountedRequests {
  /** The network by which the sender is counted: the /48 of IPv6, once several of its networks have requests. */
  readonly network: string;
  /** Whether all clients of the artist must confirm by mail. */
  readonly confirmsByMail: boolean;
}

/** Counts the requests of a sender, and of all, to an artist; undefined for a deleted artist. */
export async function countRequests(
  database: Database,
  sender: CountedSender,
  now: Instant,
): Promise<RequestCounts | undefined> {
  const { rows } = await selectRequestCounts(sender, now).execute(database);
  return rows[0];
}

/**
 * Selects one row of counts for limits; none for a deleted artist. Appointments that the artist entered do not count.
 * The busiest hour is 0 where `dependsOnHistory` is false: then nothing depends on it.
 */
export function selectRequestCounts(
  { artistId, network, appointmentId }: CountedSender,
  now: Instant,
): RawBuilder<RequestCounts> {
  const wider = widerNetwork(network);
  const isOwn = sql`network = ${network}`;
  const isOfWider = wider === null ? sql`false` : isOfNetwork(sql.ref('network'), wider);
  const isOfSender = sql`(${isOwn} OR (is_crowded AND ${isOfWider}))`;
  const isOfHour = sql`counted_at > ${new Date(now - HOUR_MS)}`;
  const isOfDay = sql`counted_at > ${new Date(now - DAY_MS)}`;
  return sql`
    WITH recent AS (
      SELECT network, counted_at, status FROM appointments
      WHERE artist_id = ${artistId} AND counted_at > ${new Date(now - COUNTED_MS)}
        AND network IS NOT NULL AND counts_for_limits AND id IS DISTINCT FROM ${appointmentId}
    ), wider AS (
      SELECT count(DISTINCT network) >= ${CROWDED_48_NETWORKS - 1} AS is_crowded
      FROM recent WHERE NOT ${isOwn} AND ${isOfWider}
    )
    SELECT confirm_by_mail AS "confirmsByMail",
      CASE WHEN is_crowded THEN ${wider}::text ELSE ${network}::text END AS network, counts.*,
      CASE WHEN counts."ofDay" >= ${FREE_REQUESTS_OF_ARTIST} OR counts."ofNetwork" >= ${FREE_REQUESTS_OF_NETWORK}
        THEN (${busiestHour(artistId, now)}) ELSE 0 END AS "busiestHour"
    FROM artists, wider, LATERAL (
      SELECT (count(*) FILTER (WHERE ${isOfHour}))::int AS "ofHour",
        (count(*) FILTER (WHERE ${isOfDay}))::int AS "ofDay",
        (count(*) FILTER (WHERE ${isOfHour} AND ${isOfSender}))::int AS "ofNetworkAndHour",
        (count(*) FILTER (WHERE ${isOfSender} AND (status = 'confirmed' OR ${isOfDay})))::int
          AS "ofNetwork"
      FROM recent
    ) AS counts
    WHERE artists.id = ${artistId}
  `;
}

/** The most requests of clients in a clock hour of the last weeks, without the last day. */
const busiestHour = (artistId: string, now: Instant) => sql<{ busiest: number }>`
  SELECT coalesce(max(requests), 0)::int AS busiest FROM (
    SELECT count(*) AS requests FROM appointments
    WHERE artist_id = ${artistId} AND network IS NOT NULL
      AND status IN ('confirmed', 'completed', 'no_show', 'requested', 'declined')
      AND counted_at BETWEEN ${new Date(now - COUNTED_MS)} AND ${new Date(now - DAY_MS)}
    GROUP BY date_trunc('hour', counted_at)
  ) AS hours`;

/** Counts the requests in the busiest clock hour of the last weeks, without the last day. */
export async function countBusiestHour(database: Database, artistId: string, now: Instant) {
  const { rows } = await busiestHour(artistId, now).execute(database);
  return requireFound(rows[0]).busiest;
}

/** A reserved time that a client requested, with its buffer. */
export interface RequestedTime extends TimeRange {
  readonly network: string;
  readonly email: string | null;
  readonly isProven: boolean;
  readonly countsForLimits: boolean;
  readonly isSetByArtist: boolean;
  /** When it was requested, or confirmed after its deadline. */
  readonly countedAt: Instant;
}

/** Lists the reserved times after `now` that clients requested in the last weeks, without the judged one. */
export async function listRequestedTimes(
  database: Database,
  { artistId, appointmentId }: Pick<CountedSender, 'artistId' | 'appointmentId'>,
  now: Instant,
): Promise<RequestedTime[]> {
  const { rows } = await sql<RequestedTime>`
    SELECT ${epochMs(sql`lower(blocked)`)} AS start, ${epochMs(sql`upper(blocked)`)} AS "end",
      network, email, email_proven AS "isProven", counts_for_limits AS "countsForLimits",
      is_set_by_artist AS "isSetByArtist", ${epochMs(sql`counted_at`)} AS "countedAt"
    FROM appointment_times JOIN appointments ON appointments.id = appointment_id
    WHERE appointments.artist_id = ${artistId} AND counted_at > ${new Date(now - COUNTED_MS)}
      AND appointments.id IS DISTINCT FROM ${appointmentId}
      AND network IS NOT NULL AND occupies
      AND (expires_at IS NULL OR expires_at > ${new Date(now)})
      AND upper(blocked) > ${new Date(now)}
    ORDER BY lower(blocked)
  `.execute(database);
  return rows;
}

/** Counts the requests in the batch of an alarm, their networks, and how many are confirmed. */
export async function countBatch(database: Database, alarmId: string) {
  const { rows } = await sql<{ bookings: number; networks: number; confirmed: number }>`
    SELECT count(*)::int AS bookings, count(DISTINCT network)::int AS networks,
      (count(*) FILTER (WHERE status = 'confirmed'))::int AS confirmed
    FROM appointments WHERE ${batchCondition(alarmId)}
  `.execute(database);
  return rows[0] ?? { bookings: 0, networks: 0, confirmed: 0 };
}

/**
 * Adds a new request to the open alarm, if the last request before it came in shortly before.
 * @returns null if it was added; else the requests of which no alarm warns, and since when none does: when
 *   the last one was closed, its batch ended or its day was over
 */
export async function joinAlarm(
  transaction: Transaction,
  artistId: string,
  appointmentId: string,
  now: Instant,
): Promise<(NewRequests & { readonly since: Instant }) | null> {
  const dayAgo = new Date(now - DAY_MS);
  const { rows } = await sql<NewRequests & { isAdded: boolean; since: number }>`
    WITH alarm AS (
      UPDATE booking_alarms SET until = ${new Date(now + BATCH_GAP_MS)}
      WHERE artist_id = ${artistId} AND closed_at IS NULL AND until > ${new Date(now)}
        AND raised_at >= ${new Date(now - ALARM_MS)}
      RETURNING id
    ), added AS (
      UPDATE appointments SET alarm_id = alarm.id FROM alarm
      WHERE appointments.id = ${appointmentId} AND appointments.artist_id = ${artistId}
      RETURNING alarm_id
    ), last AS (
      SELECT greatest(${dayAgo}, max(
        least(closed_at, until, raised_at + ${ALARM_MS} * interval '1 millisecond'))) AS since
      FROM booking_alarms WHERE artist_id = ${artistId}
    )
    SELECT EXISTS (SELECT FROM added) AS "isAdded", ${epochMs(sql`since`)} AS since, requests.*
    FROM last, LATERAL (
      SELECT count(*)::int AS "ofDay",
        (count(*) FILTER (WHERE counted_at > ${new Date(now - HOUR_MS)}))::int AS "ofHour"
      FROM appointments
      WHERE ${isOpenAndCounted} AND artist_id = ${artistId} AND counted_at >= since
    ) AS requests
  `.execute(transaction);
  const { isAdded, ...requests } = requireFound(rows[0]);
  return isAdded ? null : requests;
}

/**
 * Raises an alarm about the open requests since an instant that count for limits. Closes an open
 * alarm that is older than a day; a younger one is about these requests too.
 * @returns the alarm's id, and whether it is new
 */
export async function raiseBookingAlarm(
  transaction: Transaction,
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

/** Closes an alarm. @returns whether it was open until now; undefined when the artist has no such alarm */
export async function closeBookingAlarm(database: Database, artistId: string, id: string) {
  const { rows } = await sql<{ was_open: boolean }>`
    UPDATE booking_alarms SET closed_at = coalesce(closed_at, now())
    WHERE id = ${id} AND artist_id = ${artistId} RETURNING
      closed_at = now() AND raised_at >= now() - ${ALARM_MS} * interval '1 millisecond' AS was_open
  `.execute(database);
  return rows[0]?.was_open;
}

/** A condition of queries of `appointments`: the appointment is in the batch of an alarm. */
export function isInBatch(alarmId: string) {
  return sql<boolean>`appointments.id IN (SELECT id FROM appointments WHERE ${batchCondition(alarmId)})`;
}

/** Requests of clients that still may take place and count for limits. */
const isOpenAndCounted = sql`network IS NOT NULL AND counts_for_limits AND NOT is_set_by_artist
  AND status IN ('requested', 'held', 'offered', 'confirmed')`;

/**
 * For a statement that reads no other table than `appointments`. Not in the batch are appointments that are
 * over, requests whose emails are proven, unless three of the alarm have one domain, and the only open request
 * of a client who has been to an appointment before.
 */
function batchCondition(alarmId: string) {
  return sql`alarm_id = ${alarmId} AND ${isOpenAndCounted}
    AND NOT EXISTS (
      SELECT FROM appointment_times WHERE appointment_id = appointments.id AND upper(during) <= now()
    )
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

/** Forgets the networks of requests, messages and mails that are older than an instant. */
export async function deleteOldNetworks(database: Database, before: Instant): Promise<void> {
  const isOld = sql`created_at < ${new Date(before)}`;
  // A move counts later than the request. Not `IS NOT NULL`, as in the index for this statement alone: no
  // statement about one artist can be planned with it.
  const isOldRequest = sql`network > '' AND counted_at < ${new Date(before)}`;
  const isOldMessage = sql`network IS NOT NULL AND ${isOld}`;
  // The source of a mail that its artist has caused is their id.
  const isOldMail = sql`source <> sender_id::text AND ${isOld}`;
  for (const update of [
    sql`UPDATE appointments SET network = NULL
      WHERE ${isInNextBatch('appointments', 'counted_at', isOldRequest)}`,
    sql`UPDATE messages SET network = NULL
      WHERE ${isInNextBatch('messages', 'created_at', isOldMessage)}`,
    sql`UPDATE mails SET source = NULL WHERE ${isInNextBatch('mails', 'created_at', isOldMail)}`,
  ])
    await inBatches(() => countChanged(database, update));
}
