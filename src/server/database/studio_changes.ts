/** An artist's last change of the studio's address, zone or agreed times, and the times that it moves. */
import { type RawBuilder, sql } from 'kysely';
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import { blockedRange, type TimeRange } from '#domain/booking/availability.ts';
import type {
  CalendarTime,
  MovedTime,
  StudioBefore,
  StudioChangeKind,
} from '#domain/studio/studio_change.ts';
import { DAY_MS, type Instant } from '#domain/time/time.ts';
import { canonicalZone } from '#domain/time/zone_data.ts';
import { isTimeAhead, toAgreedTime } from './agreed_times.ts';
import { type Shortened, shortenedBefore, toTstzrange } from './calendar.ts';
import type { Database, Transaction } from './connect.ts';
import { epochMs } from './epoch_ms.ts';

/** Longer than a new time zone can move a time. */
const MAX_SHIFT_MS = 2 * DAY_MS;

export interface StudioChangeRecord {
  readonly kind: StudioChangeKind;
  readonly undoUntil: Instant;
  readonly before: StudioBefore;
  readonly moved: readonly MovedTime[];
  readonly mailIds: readonly string[];
  /** Mails of the previous change that still waited, because it could be undone: this change dropped them. */
  readonly replacedMailIds: readonly string[];
  /** The studio that clients know: as it was before the first change whose mails still wait. */
  readonly studioKnown: StudioBefore;
}

/** Stores a change that can be undone, in place of the artist's earlier one. */
export async function replaceStudioChange(
  database: Database,
  artistId: string,
  { kind, undoUntil, before, moved, mailIds, replacedMailIds, studioKnown }: StudioChangeRecord,
): Promise<void> {
  const values = {
    answer_undo_until: kind === 'time_changes' ? new Date(undoUntil) : null,
    undo_until: new Date(undoUntil),
    undone_at: null,
    studio_before: JSON.stringify(before),
    moved_times: JSON.stringify(moved),
    mail_ids: [...mailIds],
    replaced_mail_ids: [...replacedMailIds],
    studio_known: JSON.stringify(studioKnown),
  };
  await database
    .insertInto('studio_changes')
    .values({ artist_id: artistId, ...values })
    .onConflict((conflict) => conflict.column('artist_id').doUpdateSet(values))
    .execute();
}

/** Finds the artist's last change, undone or not; undefined for none. */
export async function findStudioChange(
  database: Database,
  artistId: string,
): Promise<(StudioChangeRecord & { readonly isUndone: boolean }) | undefined> {
  const row = await database
    .selectFrom('studio_changes')
    .select(['answer_undo_until', 'undo_until', 'undone_at', 'studio_before', 'studio_known'])
    .select(['moved_times', 'mail_ids', 'replaced_mail_ids'])
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  if (!row) return undefined;
  const before = withZoneName(row.studio_before);
  const renamedZone = { from: row.studio_before.time_zone, to: before.time_zone };
  // An older server that stores a change of the studio leaves an earlier `answer_undo_until` in the row.
  // Only an equal one belongs to this change.
  const isAnswer = row.answer_undo_until?.getTime() === row.undo_until.getTime();
  return {
    kind: isAnswer ? 'time_changes' : 'studio',
    undoUntil: row.undo_until.getTime(),
    isUndone: row.undone_at !== null,
    before,
    moved: row.moved_times.map((time) => withAgreedZone(time, renamedZone)),
    mailIds: row.mail_ids,
    replacedMailIds: row.replaced_mail_ids,
    studioKnown: withZoneName(row.studio_known),
  };
}

/** With today's name of the zone: since the change, a newer server may have renamed the stored zones. */
function withZoneName(studio: StudioBefore): StudioBefore {
  const { time_zone: zone } = studio;
  return { ...studio, time_zone: canonicalZone(zone) ?? zone };
}

/** With today's name of the zone in the agreed time. */
function withAgreedZone(
  moved: MovedTime,
  { from, to }: { readonly from: string; readonly to: string },
): MovedTime {
  const { agreed } = moved.before;
  if (agreed?.zone !== from) return moved;
  return { ...moved, before: { ...moved.before, agreed: { ...agreed, zone: to } } };
}

export async function markStudioChangeUndone(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<void> {
  await database
    .updateTable('studio_changes')
    .set({ undone_at: new Date(now) })
    .where('artist_id', '=', artistId)
    .execute();
}

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

/**
 * Releases the artist's times, so that `updateTimes` can exchange them.
 * @returns for `lengthenBuffers`, which may take the places that they leave: call it after `updateTimes`
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
