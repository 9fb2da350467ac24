/** Reads appointments, inserts them, and changes them, in this order. */
import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Insertable, sql, type Updateable } from 'kysely';
import {
  type Actor,
  type Appointment,
  type AppointmentEventKind,
  type AppointmentStatus,
  type AppointmentTime,
  UNDECIDED_STATUSES,
} from '#domain/appointments/appointment.ts';
import type { BufferedTime, TimeRange } from '#domain/booking/availability.ts';
import { CLIENT_DETAIL_FIELDS } from '#domain/clients/client_details.ts';
import type { PaymentMethod } from '#domain/money/payment.ts';
import { refuse } from '#domain/refusal.ts';
import type { AgreedTime } from '#domain/studio/agreed_time.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import type { Instant } from '#domain/time/time.ts';
import { toAgreedColumns } from './agreed_times.ts';
import { type NewAppointmentEvent, toEventRow } from './appointment_events.ts';
import { ADDRESS_COLUMNS, publicEmail } from './artists.ts';
import { isInBatch } from './booking_limits.ts';
import {
  lengthenBuffers,
  type ReservedTime,
  reserveTime,
  shortenedBefore,
  toTimeRow,
  toTstzrange,
} from './calendar.ts';
import { clientEmailChangeOf } from './client_email_changes.ts';
import { UPSERTED_CLIENT_ID, withUpsertedClient } from './clients.ts';
import type { Database, Transaction } from './connect.ts';
import { dataRequestsOf } from './data_requests.ts';
import { EDITION_USE } from './editions.ts';
import { epochMs } from './epoch_ms.ts';
import { DESIGN_IMAGE_COLUMNS } from './images.ts';
import { BATCH } from './in_batches.ts';
import { loadPageByIds, type Pagination } from './pagination.ts';
import { matchesClient } from './search.ts';
import type { Appointments, Clients, DB } from './tables.ts';

/**
 * For `leftJoinLateral`: selects an appointment's time, if any, even if it is no longer
 * reserved (`calendar.ts` describes the columns). An appointment has at most one; the limit says so to
 * the planner.
 */
export function selectTime({ selectFrom }: ExpressionBuilder<DB, 'appointments'>) {
  return selectFrom('appointment_times')
    .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
    .select([
      sql<Date>`lower(during)`.as('start'),
      sql<Date>`upper(during)`.as('end'),
      sql<Date>`upper(blocked)`.as('blocked_until'),
      'expires_at',
      'occupies',
    ])
    .orderBy(sql`lower(during)`)
    .limit(1)
    .as('time');
}

interface EndedOfferRow {
  readonly what: 'offer_declined' | 'offer_lapsed';
  readonly start: Instant | null;
  readonly note: string | null;
}

/** The end of the last offer for an open request; null for all other appointments. */
const ENDED_OFFER = sql<EndedOfferRow | null>`
  CASE WHEN appointments.status = 'requested' THEN (
    SELECT json_build_object('what', events.what, 'note', events.note,
      'start', ${epochMs(sql`events.from_start`)})
    FROM appointment_events AS events
    WHERE events.appointment_id = appointments.id
      AND events.what IN ('offer_declined', 'offer_lapsed')
    ORDER BY events.id DESC
    LIMIT 1
  ) END`.as('ended_offer');

interface PaymentRow {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly received_on: LocalDate;
}

/** The payments received for an appointment, the oldest first. */
const PAYMENTS = sql<PaymentRow[]>`coalesce((
  SELECT json_agg(json_build_object('id', id, 'amount', amount, 'currency', currency,
    'method', method, 'received_on', received_on) ORDER BY received_on, created_at, id)
  FROM payments_received WHERE appointment_id = appointments.id
), '[]')`.as('payments');

const COLUMNS = [
  'appointments.id',
  'appointments.artist_id',
  'appointments.studio_id',
  'appointments.client_id',
  'appointments.status',
  'appointments.version',
  ...CLIENT_DETAIL_FIELDS.map((field) => `appointments.${field}` as const),
  'appointments.location',
  'appointments.size',
  'appointments.customer_notes',
  'appointments.artist_note',
  'appointments.idempotency_subject',
  'appointments.network',
  'appointments.must_prove_email',
  'appointments.email_proven',
  'appointments.mail_link_used',
  'appointments.is_set_by_artist',
  'appointments.created_at',
  'appointments.price',
  'appointments.deposit',
  'appointments.booking_policy',
  'appointments.private_notes',
  'appointments.private_version',
  'appointments.project_id',
  'appointments.client_organizer',
  'appointments.artist_organizer',
  'appointments.keeps_edition',
  PAYMENTS,
  ENDED_OFFER,
  'artists.username',
  'artists.full_name',
  'artists.scheduling_type',
  'artists.email as artist_email',
  publicEmail.as('public_artist_email'),
  'studios.name as studio_name',
  ...ADDRESS_COLUMNS,
  'time.start',
  'time.end',
  'time.blocked_until',
  'time.expires_at',
  'time.occupies',
  'services.id as service_id',
  'services.name as service_name',
  'services.description as service_description',
  'services.duration_minutes',
  'services.is_available',
  'services.price as service_price',
  'services.deleted_at as service_deleted_at',
  'designs.id as design_id',
  'designs.name as design_name',
  'designs.description as design_description',
  'designs.status as design_status',
  'designs.price as design_price',
  'designs.duration_minutes as design_minutes',
  'designs.service_id as design_service_id',
  'designs.width_mm',
  'designs.height_mm',
  'designs.placements',
  'designs.color',
  'designs.editions',
  EDITION_USE,
  'designs.deleted_at as design_deleted_at',
  ...DESIGN_IMAGE_COLUMNS,
] as const;

/** Selects appointments with their time, artist, studio, service and design. */
function selectAppointments(database: Database) {
  return database
    .selectFrom('appointments')
    .leftJoinLateral(selectTime, (join) => join.onTrue())
    .innerJoin('artists', 'artists.id', 'appointments.artist_id')
    .innerJoin('studios', 'studios.id', 'appointments.studio_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .leftJoin('designs', 'designs.id', 'appointments.design_id')
    .leftJoin('images', 'images.id', 'designs.image_id')
    .select(COLUMNS);
}

function selectOfArtist(database: Database, artistId: string) {
  return selectAppointments(database).where('appointments.artist_id', '=', artistId);
}

/** Selects all of an artist's appointments, in the order of their starts. */
export function selectAppointmentsOfArtist(database: Database, artistId: string) {
  return selectOfArtist(database, artistId)
    .orderBy('time.start', (by) => by.asc().nullsLast())
    .orderBy('appointments.id');
}

export type AppointmentRow = NonNullable<Awaited<ReturnType<typeof findAppointment>>>;

/** Finds an appointment of this artist only. */
export function findAppointment(database: Database, artistId: string, id: string) {
  return selectOfArtist(database, artistId).where('appointments.id', '=', id).executeTakeFirst();
}

/** Converts the columns of `selectTime`; returns null for an appointment without a time. */
export function toAppointmentTime(
  row: Pick<AppointmentRow, 'start' | 'end' | 'expires_at'>,
): AppointmentTime | null {
  const { start, end, expires_at } = row;
  if (start === null || end === null) return null;
  const expiresAt = expires_at?.getTime() ?? null;
  return { start: start.getTime(), end: end.getTime(), expiresAt };
}

/** The time of an appointment with its buffer; null without a time. */
export function toBufferedTime({
  start,
  end,
  blocked_until,
}: Pick<AppointmentRow, 'start' | 'end' | 'blocked_until'>): BufferedTime | null {
  if (start === null || end === null || blocked_until === null) return null;
  return { start: start.getTime(), end: end.getTime(), blockedUntil: blocked_until.getTime() };
}

/** Converts a row to the state that the domain judges: the stored status and the time. */
export function toAppointmentState(
  row: Pick<AppointmentRow, 'status' | 'start' | 'end' | 'expires_at'>,
): Appointment {
  return { status: row.status, time: toAppointmentTime(row) };
}

export type ClientAppointmentRow = NonNullable<Awaited<ReturnType<typeof findClientAppointment>>>;

interface ClientEventRow {
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly at: Instant;
  readonly start: Instant | null;
}

/**
 * Finds an appointment for its client, whose link names only the appointment: with its history, the artist's
 * terms, and the client's requests about data.
 */
export function findClientAppointment(database: Database, id: string) {
  return selectAppointments(database)
    .innerJoin('clients', 'clients.id', 'appointments.client_id')
    .innerJoin('schedules', 'schedules.artist_id', 'appointments.artist_id')
    .select([
      'artists.is_active',
      'schedules.client_cancel_notice_hours',
      'schedules.client_move_notice_hours',
      // When the artist erased the client's personal data.
      'clients.erased_at as data_erased_at',
      sql<readonly (TimeRange & { readonly id: string })[]>`coalesce((
        SELECT json_agg(json_build_object('id', id, 'start', ${epochMs(sql`lower(during)`)},
          'end', ${epochMs(sql`upper(during)`)}) ORDER BY lower(during))
        FROM appointment_times WHERE appointment_id = appointments.id
      ), '[]')`.as('times'),
      sql<readonly ClientEventRow[]>`coalesce((
        SELECT json_agg(json_build_object('actor', actor, 'what', what,
          'at', ${epochMs(sql`happened_at`)}, 'start', ${epochMs(sql`to_start`)}) ORDER BY id)
        FROM appointment_events WHERE appointment_id = appointments.id
      ), '[]')`.as('events'),
      // Of the client's record, the oldest first.
      dataRequestsOf(sql.ref('appointments.client_id')).as('data_requests'),
      // Whether the owner of the appointment's email has used its mailed link, and the client's record, or
      // one merged into it, has that email.
      sql<boolean>`mail_link_used AND EXISTS (SELECT FROM clients AS own
        WHERE own.artist_id = appointments.artist_id AND lower(own.email) = lower(appointments.email)
          AND coalesce(own.merged_into, own.id) = clients.id)`.as('is_proven_client'),
      clientEmailChangeOf(sql.ref('appointments.id')).as('email_change'),
    ])
    .where('appointments.id', '=', id)
    .executeTakeFirst();
}

/** Lists appointments of any artist by their ids, for jobs that belong to no artist. */
export function listAppointmentsByIds(database: Database, ids: readonly string[]) {
  return selectAppointments(database).where(hasIdOf(ids)).execute();
}

/** Lists those of these appointments that are the artist's. */
export function listAppointmentsOfArtist(
  database: Database,
  artistId: string,
  ids: readonly string[],
) {
  return selectOfArtist(database, artistId).where(hasIdOf(ids)).execute();
}

function hasIdOf(ids: readonly string[]) {
  return sql<boolean>`appointments.id = any(${ids}::uuid[])`;
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
  const isPastDeadline = (was: 'held' | 'offered') =>
    sql<boolean>`(appointments.status = ${was} AND coalesce(time.expires_at <= ${nowDate}, false))`;
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
    const was = status === 'expired' ? 'held' : 'offered';
    matching = matching
      // Follows from the next condition. PostgreSQL does not look for the times of the others.
      .where('appointments.status', 'in', [status, was])
      .where(({ or, eb }) => or([eb('appointments.status', '=', status), isPastDeadline(was)]));
  } else if (status !== undefined) matching = matching.where('appointments.status', '=', status);
  // After the deadline of an offer, the request has no time.
  if (when !== undefined) matching = matching.where(({ not }) => not(isPastDeadline('offered')));
  if (when === 'upcoming') matching = matching.where('time.end', '>', nowDate);
  if (when === 'past') matching = matching.where('time.end', '<=', nowDate);
  if (search) matching = matching.where(matchesClient(search, 'appointments'));
  const inOrder =
    order === 'newest'
      ? sql`appointments.created_at DESC`
      : sql`time.start ${sql.raw(order === 'soonest' ? 'ASC' : 'DESC')} NULLS LAST`;
  // The id decides between equal values, so that pages neither repeat nor skip rows.
  const ids = matching.orderBy(inOrder).orderBy('appointments.id');
  return loadPageByIds(ids, page, (onPage) =>
    selectOfArtist(database, artistId)
      .where('appointments.id', '=', sql<string>`any(${onPage})`)
      .orderBy(inOrder)
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

/** Which of the holds and offers of an artist to look at: all, or those that overlap a range. */
export type ExpiryScope = 'all' | { readonly overlapping: TimeRange };

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
    expiredIds = expiredIds.where('blocked', '&&', toTstzrange(scope.overlapping));
  return selectOfArtist(database, artistId)
    .where('appointments.id', 'in', expiredIds)
    .where('appointments.status', 'in', ['held', 'offered'])
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

/**
 * Lists and locks the next holds, of all artists, that reserve no time and whose deadline has passed, without
 * those that others change: a change of the studio moves the times first.
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

/** At most this many other appointments are listed. */
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
    .limit(MAX_RIVALS)
    .execute();
}

/**
 * Whether a new appointment with the client's email has it proven: once they have proven it with any
 * appointment. Also if none has it, because then the artist has entered it.
 */
export async function inheritEmailProof(
  database: Database,
  artistId: string,
  clientId: string,
  email: string | null,
): Promise<boolean> {
  const { isProven } = await database
    .selectFrom('appointments')
    .select(sql<boolean>`coalesce(bool_or(email_proven), true)`.as('isProven'))
    .where('artist_id', '=', artistId)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirstOrThrow();
  return isProven;
}

type NewTime = AppointmentTime & BufferedTime;

/** A new appointment, with the event and the time of its beginning. */
interface NewAppointment {
  readonly columns: Omit<Insertable<Appointments>, 'client_id'>;
  /** The id, or the client whom `upsertClient` finds or inserts in the same statement. */
  readonly client: string | Insertable<Clients>;
  readonly event: Pick<NewAppointmentEvent, 'actor' | 'what' | 'at'>;
  readonly time: (NewTime & Pick<ReservedTime, 'zone' | 'isReserved'>) | null;
}

export async function insertAppointment(
  database: Database,
  { columns, client, event, time }: NewAppointment,
): Promise<string> {
  const id = randomUUID();
  const { artist_id: artistId, studio_id: studioId, status: toStatus } = columns;
  const change = { fromStatus: null, fromStart: null, toStatus, toStart: time?.start ?? null };
  const eventRow = toEventRow({ ...event, ...change, appointmentId: id });
  const isKnown = typeof client === 'string';
  const client_id = isKnown ? client : UPSERTED_CLIENT_ID;
  const inserting = (isKnown ? database : withUpsertedClient(database, client)).with(
    'appointment',
    (db) => db.insertInto('appointments').values({ ...columns, client_id, id }),
  );
  if (time === null) await inserting.insertInto('appointment_events').values(eventRow).execute();
  else
    await inserting
      .with('event', (db) => db.insertInto('appointment_events').values(eventRow))
      .insertInto('appointment_times')
      .values(toTimeRow({ ...time, appointmentId: id, artistId, studioId }))
      .execute();
  return id;
}

/** Columns that a transition can change beside the status. The client's page shows `artist_note`. */
type TransitionColumns = Pick<
  Updateable<Appointments>,
  'artist_note' | 'design_id' | 'is_set_by_artist' | 'keeps_edition' | 'price' | 'service_id'
>;

/** A change of appointments by one step of the table of transitions. */
export interface AppointmentTransition {
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly status: AppointmentStatus;
  /** The start after the change; the earlier one unless set; null without a time. */
  readonly start?: Instant | null | undefined;
  /**
   * `released`: others can book its time, which stays as a record. An agreed time, which the client has seen:
   * the time is reserved without a deadline, and this is stored as agreed. Unset: the time stays as it is.
   */
  readonly time?: 'released' | AgreedTime | undefined;
  /**
   * Whether a deadline has passed. Then the event happened at the deadline, and the version and the deadline
   * stay, because nobody did anything.
   */
  readonly isExpiry?: boolean;
  /** The actor's text to the other side, for the history. */
  readonly note?: string | undefined;
  readonly columns?: TransitionColumns | undefined;
}

const STATE_COLUMNS = ['id', 'artist_id', 'status', 'version', 'start', 'expires_at'] as const;

/** An appointment as it was read, before a transition. */
type StoredState = Pick<AppointmentRow, (typeof STATE_COLUMNS)[number]>;

/** `saveTransitions` of one appointment. @throws Refusal `status_changed` if it has changed since it was read */
export async function saveTransition(
  transaction: Transaction,
  row: StoredState,
  transition: AppointmentTransition,
  now: Instant,
): Promise<void> {
  const [saved] = await saveTransitions(transaction, [row], transition, now);
  if (saved === undefined) throw refuse('status_changed');
}

/**
 * Moves an appointment to another time, and reserves it: the client's and the artist's way.
 * @throws Refusal `status_changed` as `saveTransition`
 */
export async function saveMove(
  transaction: Transaction,
  row: StoredState & Pick<AppointmentRow, 'studio_id' | 'time_zone'>,
  { time, ...move }: Omit<AppointmentTransition, 'start' | 'time'> & { readonly time: NewTime },
  now: Instant,
): Promise<void> {
  const { id: appointmentId, artist_id: artistId, studio_id: studioId, time_zone: zone } = row;
  await saveTransition(transaction, row, { ...move, start: time.start }, now);
  const owner = { appointmentId, artistId, studioId, zone };
  await reserveTime(transaction, { ...time, ...owner, isReserved: true });
}

/**
 * Changes the status of appointments: the only way to. One statement changes the appointments, adds to their
 * histories, and releases or occupies their times.
 * @param rows whose passed deadlines are stored (`storeExpiry`); of one artist if their times are released
 * @returns the rows that were changed: not those that had changed since they were read
 */
export async function saveTransitions<Row extends StoredState>(
  transaction: Transaction,
  rows: readonly Row[],
  { time, start, ...transition }: AppointmentTransition,
  now: Instant,
): Promise<Row[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { actor, what, status, isExpiry = false, note, columns } = transition;
  const isReleased = time === 'released';
  const at = isExpiry ? sql`expires_at` : sql`${new Date(now)}::timestamptz`;
  const startsAt = typeof start === 'number' ? new Date(start) : null;
  const toStart = start === undefined ? sql`start` : sql`${startsAt}::timestamptz`;
  const saved = await transaction
    .with('changed', (db) =>
      db
        .updateTable('appointments')
        .from(asTable(rows))
        .set({
          ...columns,
          status,
          version: sql`expected.version + ${isExpiry ? 0 : 1}`,
          updated_at: sql`now()`,
        })
        .whereRef('appointments.id', '=', 'expected.id')
        // Not `=`, so that PostgreSQL finds the rows by their ids, and not by an index on `artist_id`.
        .where(
          sql<boolean>`(appointments.artist_id, appointments.status, appointments.version)
            IS NOT DISTINCT FROM (expected.artist_id, expected.status, expected.version)`,
        )
        .returning(['expected.id', 'expected.status', 'expected.start', 'expected.expires_at']),
    )
    .with('events', (db) =>
      db
        .insertInto('appointment_events')
        .columns([
          'appointment_id',
          'actor',
          'what',
          'happened_at',
          'from_status',
          'to_status',
          'from_start',
          'to_start',
          'note',
        ])
        .expression(
          sql`SELECT id, ${actor}, ${what}, ${at}, status, ${status}, start, ${toStart}, ${note || null}
            FROM changed`,
        ),
    )
    .with('settled', (db) =>
      db
        .updateTable('appointment_times')
        .from('changed')
        .set({
          occupies: !isReleased,
          ...(!isExpiry && { expires_at: null }),
          ...(typeof time === 'object' && toAgreedColumns(time)),
        })
        .where(sql<boolean>`${time !== undefined}`)
        .whereRef('appointment_id', '=', 'changed.id')
        .returning(['appointment_id', shortenedBefore.as('shortened')]),
    )
    .selectFrom('changed')
    .leftJoin('settled', 'appointment_id', 'id')
    .select(['id', 'shortened'])
    .execute();
  if (isReleased) await lengthenBuffers(transaction, first.artist_id, saved);
  const ids = new Set(saved.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}

/** The rows as a table `expected`. PostgreSQL plans for one row of `jsonb_to_record`, and for many of a set. */
function asTable(rows: readonly StoredState[]) {
  const isOne = rows.length === 1;
  const json = JSON.stringify(isOne ? rows[0] : rows, [...STATE_COLUMNS]);
  return sql<StoredState>`${sql.raw(isOne ? 'jsonb_to_record' : 'jsonb_to_recordset')}(${json})`.as<'expected'>(
    sql`expected (id uuid, artist_id uuid, status text, version integer, start timestamptz,
      expires_at timestamptz)`,
  );
}

/** Stores the private notes of an appointment for all sessions of its project. */
export async function setPrivateNotes(
  database: Database,
  appointment: Pick<AppointmentRow, 'id' | 'artist_id' | 'client_id' | 'project_id'>,
  notes: string | null,
): Promise<void> {
  const { id, artist_id, client_id, project_id } = appointment;
  // After a merge was undone, another client, maybe erased, may have sessions of the same project.
  await sql`
    UPDATE appointments SET private_notes = ${notes},
      updated_at = CASE WHEN id = ${id} THEN now() ELSE updated_at END
    WHERE (id = ${id} OR project_id = ${project_id})
      AND artist_id = ${artist_id} AND client_id = ${client_id}
  `.execute(database);
}

/** Makes an appointment the first session of a project, unless it belongs to one already. */
export async function ensureProject(
  database: Database,
  { id, artist_id }: Pick<AppointmentRow, 'id' | 'artist_id'>,
): Promise<void> {
  await database
    .updateTable('appointments')
    .set({ project_id: id })
    .where('id', '=', id)
    .where('artist_id', '=', artist_id)
    .where('project_id', 'is', null)
    .execute();
}

/** Sets columns that the artist does not edit. Raises no version, as clients see nothing of it. */
export async function setAppointmentColumns(
  database: Database,
  artistId: string,
  id: string,
  columns: Pick<
    Updateable<Appointments>,
    | 'client_id'
    | 'counted_at'
    | 'counts_for_limits'
    | 'email'
    | 'email_proven'
    | 'mail_link_used'
    | 'network'
  >,
): Promise<void> {
  await database
    .updateTable('appointments')
    .set(columns)
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .execute();
}

/**
 * Gives an appointment another email and client, because its client asked for it. It counts for limits and is
 * unproven again: nobody has used a link mailed to the new email yet, which may be another person's.
 */
export async function updateClientOfAppointment(
  transaction: Transaction,
  { id, artist_id }: Pick<AppointmentRow, 'id' | 'artist_id'>,
  { email, clientId }: { readonly email: string; readonly clientId: string },
): Promise<void> {
  const unproven = { counts_for_limits: true, email_proven: false, mail_link_used: false };
  const columns = { email, client_id: clientId, ...unproven };
  await setAppointmentColumns(transaction, artist_id, id, columns);
  // So that erasing the client finds them.
  await transaction
    .updateTable('mails')
    .set({ client_id: clientId })
    .where('appointment_id', '=', id)
    .where('artist_id', '=', artist_id)
    .execute();
}

/**
 * Raises `version` of the artist's appointments that moved, and of confirmed appointments, holds and offers
 * that start after `now`, because the studio has another address or time zone, or new clock rules. `version`
 * is the SEQUENCE in calendar files, by which calendar apps recognize a newer event, and clients confirm only
 * the version that they saw.
 * @param raised `movedIds` moved; unless `onlyIds` is null, of the upcoming ones only these are raised
 * @returns the ids of the confirmed upcoming appointments
 */
export async function raiseVersions(
  database: Database,
  artistId: string,
  { movedIds, onlyIds = null }: { movedIds: readonly string[]; onlyIds?: readonly string[] | null },
  now: Instant,
): Promise<string[]> {
  const isAhead = sql<boolean>`lower(during) > ${new Date(now)}
    AND (status IN ('held', 'offered') OR (status = 'confirmed' AND occupies))
    AND (${onlyIds}::uuid[] IS NULL OR appointments.id = any(${onlyIds}::uuid[]))`;
  const raised = await database
    .updateTable('appointments')
    .from('appointment_times')
    .set({ version: sql`version + 1` })
    .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
    .where('appointments.artist_id', '=', artistId)
    .where(sql<boolean>`((${isAhead}) OR appointments.id = any(${movedIds}::uuid[]))`)
    .returning('appointments.id')
    .returning(sql<boolean>`${isAhead} AND status = 'confirmed'`.as('isBookedAhead'))
    .execute();
  return raised.flatMap(({ id, isBookedAhead }) => (isBookedAhead ? [id] : []));
}

/**
 * Deletes an appointment, and its studio if no artist and no other appointment uses the studio.
 * @returns false when the stored version differs from `loaded`, so that nothing is deleted
 */
export async function deleteAppointmentRow(
  transaction: Transaction,
  loaded: Pick<AppointmentRow, 'id' | 'artist_id' | 'version' | 'studio_id'>,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('appointments')
    .where('id', '=', loaded.id)
    .where('artist_id', '=', loaded.artist_id)
    .where('version', '=', loaded.version)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  // A former studio of the artist exists only as long as appointments refer to it.
  await sql`DELETE FROM studios WHERE id = ${loaded.studio_id}
    AND NOT EXISTS (SELECT FROM artists WHERE studio_id = studios.id)
    AND NOT EXISTS (SELECT FROM appointments WHERE studio_id = studios.id)
  `.execute(transaction);
  return true;
}
