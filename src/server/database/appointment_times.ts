/**
 * Reads, reserves, releases and moves the times of appointments. The columns of `appointment_times`: `during` is the
 * appointment, `blocked` adds the buffer after it, `occupies` says whether the time is reserved, `expires_at` is the
 * client's deadline to confirm a hold or an offer.
 */
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { AppointmentStatus, AppointmentTime } from '#domain/appointments/appointment.ts';
import { type BufferedTime, blockedRange, type TimeRange } from '#domain/booking/availability.ts';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import type { CalendarTime } from '#domain/studio/studio_change.ts';
import { DAY_MS, type Instant } from '#domain/time/time.ts';
import { isTimeAhead, toAgreedColumns, toAgreedTime } from './agreed_times.ts';
import type { Database, Transaction } from './connect.ts';
import { epochMs } from './epoch_ms.ts';
import type { AppointmentTimes } from './tables.ts';

/** Longer than a new time zone can move a time. */
const MAX_SHIFT_MS = 2 * DAY_MS;

/** An appointment's time in the calendar; `id` is the time's own. */
export interface StoredTime {
  readonly id: string;
  readonly appointmentId: string;
  readonly status: AppointmentStatus;
  readonly time: CalendarTime;
}

/** Lists the times that a new time zone may move: not long past, of appointments that are not over. */
export function listMovableTimes(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<StoredTime[]> {
  const isMovable = sql<boolean>`upper(during) > ${new Date(now - MAX_SHIFT_MS)}
    AND appointments.status IN ('requested', 'held', 'offered', 'confirmed', 'expired')`;
  return listTimesWhere(database, artistId, isMovable);
}

/** Lists the artist's times that begin after `now` and take place, or may; the earliest first. */
export function listTimesAhead(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<StoredTime[]> {
  return listTimesWhere(database, artistId, isTimeAhead(now));
}

/** Lists the artist's times with these ids that still exist. */
export function listTimes(
  database: Database,
  artistId: string,
  ids: readonly string[],
): Promise<StoredTime[]> {
  const isOneOf = sql<boolean>`appointment_times.id = any(${ids}::uuid[])`;
  return listTimesWhere(database, artistId, isOneOf);
}

/** Lists the artist's reserved times that overlap `range`, each with its buffer. */
export function listReservedTimes(
  database: Database,
  artistId: string,
  range: TimeRange,
): Promise<StoredTime[]> {
  const isOverlapping = sql<boolean>`occupies AND blocked && ${toTstzrange(range)}`;
  return listTimesWhere(database, artistId, isOverlapping);
}

async function listTimesWhere(
  database: Database,
  artistId: string,
  condition: RawBuilder<boolean>,
): Promise<StoredTime[]> {
  const rows = await database
    .selectFrom('appointment_times')
    .innerJoin('appointments', 'appointments.id', 'appointment_times.appointment_id')
    .select(['appointment_times.id', 'appointment_id as appointmentId', 'appointments.status'])
    .select(['agreed_local', 'agreed_zone', 'occupies as isReserved'])
    .select([
      epochMs(sql`lower(during)`).as('start'),
      epochMs(sql`upper(during)`).as('end'),
      epochMs(sql`upper(blocked)`).as('blockedUntil'),
      epochMs<Instant | null>(sql`expires_at`).as('expiresAt'),
    ])
    .where('appointment_times.artist_id', '=', artistId)
    .where(condition)
    .orderBy('start')
    .orderBy('appointment_times.id')
    .execute();
  return rows.map(({ id, appointmentId, status, agreed_local, agreed_zone, ...time }) => {
    const agreed = toAgreedTime({ agreed_local, agreed_zone });
    return { id, appointmentId, status, time: { ...time, ...(agreed && { agreed }) } };
  });
}

/** A time of an appointment, to be stored. */
export interface ReservedTime extends AppointmentTime, BufferedTime {
  readonly appointmentId: string;
  readonly artistId: string;
  readonly studioId: string;
  /** The studio's zone, in which the time is agreed now. */
  readonly zone: string;
  /** False stores the time and leaves it free for others until the client confirms. */
  readonly isReserved: boolean;
}

/** The row of a time, for a statement that inserts it. */
export function toTimeRow(time: ReservedTime): Insertable<AppointmentTimes> {
  return {
    appointment_id: time.appointmentId,
    artist_id: time.artistId,
    studio_id: time.studioId,
    during: toTstzrange(time),
    blocked: toTstzrange(blockedRange(time)),
    occupies: time.isReserved,
    expires_at: time.expiresAt === null ? null : new Date(time.expiresAt),
    ...toAgreedColumns(agreedTimeAt(time.zone, time.start)),
  };
}

/** Reserves a time for an appointment, and deletes the appointment's earlier time, if any. */
export async function reserveTime(transaction: Transaction, time: ReservedTime): Promise<void> {
  const released = await deleteRows(transaction, time.artistId, [time.appointmentId]);
  await transaction.insertInto('appointment_times').values(toTimeRow(time)).execute();
  await lengthenBuffers(transaction, time.artistId, released);
}

/** Deletes the times of the artist's appointments, such as those of offers that ended. */
export async function deleteTimes(
  transaction: Transaction,
  artistId: string,
  appointmentIds: readonly string[],
) {
  if (appointmentIds.length === 0) return;
  const released = await deleteRows(transaction, artistId, appointmentIds);
  await lengthenBuffers(transaction, artistId, released);
}

function deleteRows(transaction: Transaction, artistId: string, appointmentIds: readonly string[]) {
  return transaction
    .deleteFrom('appointment_times')
    .where('appointment_id', 'in', appointmentIds)
    .where('artist_id', '=', artistId)
    .returning(shortenedBefore.as('shortened'))
    .execute();
}

/**
 * Releases the artist's times, so that `updateTimes` can exchange them.
 * @returns for `lengthenBuffers`: call it after `updateTimes`, because buffers may grow over the places that are left
 */
export async function releaseTimes(
  transaction: Transaction,
  artistId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly shortened: Shortened }[]> {
  return transaction
    .updateTable('appointment_times')
    .set({ occupies: false })
    .where('artist_id', '=', artistId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(['id', shortenedBefore.as('shortened')])
    .execute();
}

/**
 * Replaces the artist's times in one statement. Release them before: the exclusion constraint checks
 * each row when it is written, so the old place of one must not block the new place of another.
 */
export async function updateTimes(
  transaction: Transaction,
  artistId: string,
  times: readonly { readonly id: string; readonly time: CalendarTime }[],
): Promise<void> {
  const rows = times.map(({ id, time }) => ({
    id,
    during: toTstzrange(time),
    blocked: toTstzrange(blockedRange(time)),
    occupies: time.isReserved,
    expires_at: time.expiresAt === null ? null : new Date(time.expiresAt),
    local: time.agreed?.local ?? null,
    zone: time.agreed?.zone ?? null,
  }));
  await sql`
    UPDATE appointment_times
    SET during = new.during, blocked = new.blocked, occupies = new.occupies,
      expires_at = new.expires_at, agreed_local = new.local, agreed_zone = new.zone
    FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS new (id uuid, during tstzrange,
      blocked tstzrange, occupies boolean, expires_at timestamptz, local text, zone text)
    WHERE appointment_times.id = new.id AND appointment_times.artist_id = ${artistId}
  `.execute(transaction);
}

/**
 * Ends the buffers of the artist's times with these ids at `end`, if they go on then.
 * `lengthenBuffers` gives them their length back later.
 */
export async function shortenBuffers(
  database: Database,
  artistId: string,
  ids: readonly string[],
  end: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await database
    .updateTable('appointment_times')
    .set({ blocked: sql<string>`tstzrange(lower(blocked), ${new Date(end)})` })
    .where('id', 'in', ids)
    .where('artist_id', '=', artistId)
    .where(sql<boolean>`upper(during) <= ${new Date(end)} AND upper(blocked) > ${new Date(end)}`)
    .execute();
}

/** Where the buffer of the row `kept` of `appointment_times` ends, if no later time shortens it. */
export const fullBufferEnd = sql`upper(kept.during) + make_interval(mins => schedules.buffer_minutes)`;

/** The id of the time whose buffer a later time had shortened; null without one. */
export type Shortened = string | null;

/**
 * Selects a column of the reserved time `kept` whose buffer the row of the surrounding statement has shortened: it
 * ends where the row begins, and the artist's present buffer is longer. How long it was when booked is not stored.
 */
export function fromShortenedBefore<T>(column: RawBuilder<unknown>, isKept = sql`true`) {
  return sql<T>`(
    SELECT ${column} FROM appointment_times AS kept JOIN schedules ON schedules.artist_id = kept.artist_id
    WHERE kept.artist_id = appointment_times.artist_id AND kept.occupies AND ${isKept}
      AND kept.blocked -|- appointment_times.blocked
      AND upper(kept.blocked) = lower(appointment_times.blocked)
      AND ${fullBufferEnd} > upper(kept.blocked)
  )`;
}

/** For RETURNING of statements that release times; `lengthenBuffers` takes the result. */
export const shortenedBefore = fromShortenedBefore<Shortened>(sql`kept.id`);

/**
 * Gives shortened buffers their length back after the times that followed them were released: up to the
 * next kept time.
 */
export async function lengthenBuffers(
  transaction: Transaction,
  artistId: string,
  released: readonly { readonly shortened?: Shortened }[],
): Promise<void> {
  const ids = released.flatMap(({ shortened }) => shortened ?? []);
  if (ids.length === 0) return;
  await sql`
    UPDATE appointment_times AS kept
    SET blocked = tstzrange(lower(blocked), least(${fullBufferEnd}, (
      SELECT min(lower(next.blocked)) FROM appointment_times AS next
      WHERE next.artist_id = kept.artist_id AND next.occupies
        AND next.blocked && tstzrange(upper(kept.blocked), ${fullBufferEnd})
    )))
    FROM schedules
    WHERE schedules.artist_id = kept.artist_id AND kept.artist_id = ${artistId} AND occupies
      AND kept.id = any(${ids}::uuid[]) AND ${fullBufferEnd} > upper(kept.blocked)
  `.execute(transaction);
}

/** Converts to the text of PostgreSQL's range type `tstzrange`: start included, end excluded. */
export function toTstzrange({ start, end }: TimeRange): string {
  return `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;
}
