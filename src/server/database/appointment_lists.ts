/**
 * Lists of appointments: for the studio's pages, for mails, and of those that a deadline, an alarm or an account
 * ends.
 */
import { sql } from 'kysely';
import { type AppointmentStatus, UNDECIDED_STATUSES } from '#domain/appointments/appointment.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import type { Instant } from '#domain/time/time.ts';
import { toTstzrange } from './appointment_times.ts';
import { type AppointmentRow, selectOfArtist, selectTime } from './appointments.ts';
import { isInBatch } from './booking_limits.ts';
import type { Database, Transaction } from './connect.ts';
import { BATCH } from './in_batches.ts';
import { loadPageByIds, type Pagination } from './pagination.ts';
import { matchesClient } from './search.ts';

export interface AppointmentFilter {
  readonly status?: AppointmentStatus | undefined;
  /** Part of the name, email or phone number that the client gave for this appointment. */
  readonly search?: string | undefined;
  /** `upcoming`: ends after `now`; `past`: has ended. Neither lists appointments without a time. */
  readonly when?: 'upcoming' | 'past' | undefined;
  /** `newest`: by creation, latest first. `soonest`/`latest`: by start, earliest/latest first. */
  readonly order: 'newest' | 'soonest' | 'latest';
  readonly clientId?: string;
  /** Only the requests that the button of this alarm cancels. */
  readonly alarmId?: string;
  readonly now: Instant;
}

/**
 * Lists an artist's appointments. Once its deadline is past, a hold counts as expired and an offer as
 * requested, even while the stored status is still `held` or `offered`.
 */
export function listAppointmentRows(
  database: Database,
  artistId: string,
  { status, search, when, order, clientId, alarmId, now }: AppointmentFilter,
  page: Pagination,
) {
  const nowDate = new Date(now);
  // `coalesce`: NULL (a hold or offer without a deadline) would match neither this nor its NOT.
  const isPastDeadline = (stored: 'held' | 'offered') =>
    sql<boolean>`(appointments.status = ${stored} AND coalesce(time.expires_at <= ${nowDate}, false))`;
  // Not `selectTime`: this reads an index once, and not once for each appointment.
  let matching = database
    .selectFrom('appointments')
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom('appointment_times')
          .select(['appointment_id', 'expires_at'])
          .select([sql<Date>`lower(during)`.as('start'), sql<Date>`upper(during)`.as('end')])
          .where('artist_id', '=', artistId)
          .as('time'),
      (join) => join.onRef('time.appointment_id', '=', 'appointments.id'),
    )
    .select('appointments.id')
    .where('appointments.artist_id', '=', artistId);
  if (clientId !== undefined) matching = matching.where('appointments.client_id', '=', clientId);
  if (alarmId !== undefined) matching = matching.where(isInBatch(alarmId));
  if (status === 'held' || status === 'offered')
    matching = matching
      .where('appointments.status', '=', status)
      .where(({ not }) => not(isPastDeadline(status)));
  else if (status === 'expired' || status === 'requested') {
    const stored = status === 'expired' ? 'held' : 'offered';
    matching = matching
      // Follows from the next condition, but lets PostgreSQL skip the times of other appointments.
      .where('appointments.status', 'in', [status, stored])
      .where(({ or, eb }) => or([eb('appointments.status', '=', status), isPastDeadline(stored)]));
  } else if (status !== undefined) matching = matching.where('appointments.status', '=', status);
  // An offer past its deadline is a request again, which has no time.
  if (when !== undefined) matching = matching.where(({ not }) => not(isPastDeadline('offered')));
  if (when === 'upcoming') matching = matching.where('time.end', '>', nowDate);
  if (when === 'past') matching = matching.where('time.end', '<=', nowDate);
  if (search) matching = matching.where(matchesClient(search, 'appointments'));
  const inOrderOfFilter =
    order === 'newest'
      ? sql`appointments.created_at DESC`
      : sql`time.start ${sql.raw(order === 'soonest' ? 'ASC' : 'DESC')} NULLS LAST`;
  // The id decides between equal values, so that pages neither repeat nor skip rows.
  const ids = matching.orderBy(inOrderOfFilter).orderBy('appointments.id');
  return loadPageByIds(ids, page, (onPage) =>
    selectOfArtist(database, artistId)
      .where('appointments.id', '=', sql<string>`any(${onPage})`)
      .orderBy(inOrderOfFilter)
      .orderBy('appointments.id')
      .execute(),
  );
}

/** Lists the appointments of any status whose time, without the buffer, overlaps `range`. */
export async function listOverlappingAppointments(
  database: Database,
  artistId: string,
  range: TimeRange,
): Promise<AppointmentRow[]> {
  const overlappingIds = database
    .selectFrom('appointment_times')
    .select('appointment_id')
    .where('artist_id', '=', artistId)
    .where('during', '&&', toTstzrange(range));
  return selectOfArtist(database, artistId)
    .where('appointments.id', 'in', overlappingIds)
    .orderBy('time.start')
    .orderBy('appointments.id')
    .execute();
}

/** Lists appointments with an open stored status, without a time or with a start after `now`. */
export function listOpenAppointments(database: Database, artistId: string, now: Instant) {
  return selectOfArtist(database, artistId)
    .where('appointments.status', 'in', ['requested', 'held', 'offered', 'confirmed'])
    .where(({ or, eb }) => or([eb('time.start', 'is', null), eb('time.start', '>', new Date(now))]))
    .execute();
}

/**
 * Lists a client's appointments with an artist, but no holds that expired or that the client released;
 * the last changed one last.
 */
export function listAppointmentsOfEmail(database: Database, artistId: string, email: string) {
  return selectOfArtist(database, artistId)
    .where(sql`lower(appointments.email)`, '=', email.toLowerCase())
    .where('appointments.status', '!=', 'expired')
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM appointment_events
        WHERE appointment_id = appointments.id AND what = 'released')`,
    )
    .orderBy('appointments.updated_at')
    .execute();
}

/** At most this many rivals are listed: other appointments that want the same time or design. */
const MAX_RIVALS = 20;

/**
 * Lists other requests, and holds and offers whose deadline has not passed, for the same design if it has
 * a limit, or with a time that overlaps that of this appointment; the oldest first.
 */
export function listRivalRows(
  database: Database,
  row: Pick<AppointmentRow, 'id' | 'artist_id' | 'design_id' | 'editions' | 'start' | 'end'>,
  now: Instant,
) {
  const { start, end } = row;
  const limitedDesignId = row.editions === null ? null : row.design_id;
  const range = start && end && toTstzrange({ start: start.getTime(), end: end.getTime() });
  return selectOfArtist(database, row.artist_id)
    .where('appointments.id', '!=', row.id)
    .where('appointments.status', 'in', UNDECIDED_STATUSES)
    .where(
      sql<boolean>`(appointments.design_id = ${limitedDesignId}
        OR (time.start IS NOT NULL AND tstzrange(time.start, time.end) && ${range}::tstzrange))`,
    )
    .where(sql<boolean>`coalesce(time.expires_at > ${new Date(now)}, true)`)
    .orderBy('appointments.created_at')
    .orderBy('appointments.id')
    .limit(sql.lit(MAX_RIVALS))
    .execute();
}

/**
 * Which holds and offers of an artist to look at: all, those whose times, buffers included, overlap a range, or all
 * but those with the times of these ids.
 */
export type ExpiryScope =
  | 'all'
  | { readonly overlapping: TimeRange }
  | { readonly exceptTimes: readonly string[] };

/** Lists an artist's holds and offers that reserve their time, with its buffer, although their deadline has passed. */
export function listExpiredRows(
  database: Database,
  artistId: string,
  scope: ExpiryScope,
  now: Instant,
) {
  let expiredIds = database
    .selectFrom('appointment_times')
    .select('appointment_id')
    .where('artist_id', '=', artistId)
    .where('expires_at', '<=', new Date(now))
    .where(sql<boolean>`occupies`);
  if (scope !== 'all')
    expiredIds =
      'overlapping' in scope
        ? expiredIds.where('blocked', '&&', toTstzrange(scope.overlapping))
        : expiredIds.where(sql<boolean>`id <> all(${scope.exceptTimes}::uuid[])`);
  return selectOfArtist(database, artistId)
    .where('appointments.id', 'in', expiredIds)
    .where('appointments.status', 'in', ['held', 'offered'])
    .execute();
}

/**
 * Lists and locks the next batch of holds, of all artists, that reserve no time and whose deadline has passed.
 * Skips those that another transaction has locked, such as a change of the studio, which may move their deadlines.
 */
export function lockUnreservedHolds(transaction: Transaction, now: Instant) {
  return transaction
    .selectFrom('appointments')
    .innerJoin('appointment_times as time', 'time.appointment_id', 'appointments.id')
    .select(['appointments.id', 'appointments.artist_id', 'status', 'version', 'time.expires_at'])
    .select(sql<Date>`lower(during)`.as('start'))
    .where(sql<boolean>`status = 'held' AND must_prove_email AND NOT occupies`)
    .where('time.expires_at', '<=', new Date(now))
    .limit(sql.lit(BATCH))
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Lists the requests that the button of an alarm cancels, each with the ids of its mails that are not sent yet. */
export function listBatch(database: Database, artistId: string, alarmId: string) {
  const queuedMails = sql<string[]>`ARRAY(SELECT mails.id FROM mails
    WHERE mails.appointment_id = appointments.id AND mails.status = 'queued')`;
  return database
    .selectFrom('appointments')
    .leftJoinLateral(selectTime, (join) => join.onTrue())
    .select(['appointments.id', 'artist_id', 'status', 'version', 'time.start', 'time.expires_at'])
    .select(queuedMails.as('queued_mails'))
    .where('artist_id', '=', artistId)
    .where(isInBatch(alarmId))
    .execute();
}
