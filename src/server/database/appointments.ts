/** Selects appointments with all that their pages show, and finds single ones. */
import { type ExpressionBuilder, sql } from 'kysely';
import type {
  Actor,
  Appointment,
  AppointmentEventKind,
  AppointmentTime,
} from '#domain/appointments/appointment.ts';
import type { BufferedTime, TimeRange } from '#domain/booking/availability.ts';
import { CLIENT_DETAIL_FIELDS } from '#domain/clients/client_details.ts';
import type { PaymentMethod } from '#domain/money/payment.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import type { Instant } from '#domain/time/time.ts';
import { ADDRESS_COLUMNS, publicEmail } from './artists.ts';
import { columnsBuiltOnce } from './built_once.ts';
import { clientEmailChangeOf } from './client_email_changes.ts';
import type { Database } from './connect.ts';
import { dataRequestsOf } from './data_requests.ts';
import { EDITION_USE } from './editions.ts';
import { epochMs } from './epoch_ms.ts';
import { DESIGN_IMAGE_COLUMNS } from './images.ts';
import type { DB } from './tables.ts';

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
    .limit(sql.lit(1))
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

/** Selects the appointments of one artist, with their time, studio, service and design. */
export function selectOfArtist(database: Database, artistId: string) {
  return selectAppointments(database).where('appointments.artist_id', '=', artistId);
}

/** Selects all of an artist's appointments, in the order of their starts. */
export function selectAppointmentsOfArtist(database: Database, artistId: string) {
  return selectOfArtist(database, artistId)
    .orderBy('time.start', (by) => by.asc().nullsLast())
    .orderBy('appointments.id');
}

/**
 * An appointment with its columns, and with those of its time, artist, studio, service and design. The fields of
 * the time are null for an appointment without one.
 */
export type AppointmentRow = NonNullable<Awaited<ReturnType<typeof findAppointment>>>;

/** Finds an appointment of this artist; undefined for another artist's. */
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

/** Whether the appointment has exactly this time. */
export function hasTime(
  row: Pick<AppointmentRow, 'start' | 'end'>,
  { start, end }: TimeRange,
): boolean {
  return row.start?.getTime() === start && row.end?.getTime() === end;
}

/** Converts the columns of `selectTime` to the time with its buffer; null for an appointment without a time. */
export function toBufferedTime(
  row: Pick<AppointmentRow, 'start' | 'end' | 'blocked_until'>,
): BufferedTime | null {
  const { start, end, blocked_until } = row;
  if (start === null || end === null || blocked_until === null) return null;
  return { start: start.getTime(), end: end.getTime(), blockedUntil: blocked_until.getTime() };
}

/** Converts a row to the state that the domain judges: the stored status and the time. */
export function toAppointmentState(
  row: Pick<AppointmentRow, 'status' | 'start' | 'end' | 'expires_at'>,
): Appointment {
  return { status: row.status, time: toAppointmentTime(row) };
}

/** An `AppointmentRow` with what only its client's page shows (`findClientAppointment`). */
export type ClientAppointmentRow = NonNullable<Awaited<ReturnType<typeof findClientAppointment>>>;

/** An event in the history. `start` is that after the event; null without a time. */
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
export const findClientAppointment = columnsBuiltOnce((database, id) =>
  selectAppointments(database)
    .innerJoin('clients', 'clients.id', 'appointments.client_id')
    .innerJoin('schedules', 'schedules.artist_id', 'appointments.artist_id')
    .select([
      'artists.is_active',
      'schedules.client_cancel_notice_hours',
      'schedules.client_move_notice_hours',
      // Most artists block nobody: then no statement looks for the client among the blocked. `OFFSET 0`, here and
      // below, keeps PostgreSQL from reading the whole table into a hash, which it plans while the table is small.
      sql<boolean>`EXISTS (SELECT FROM blocked_senders
        WHERE blocked_senders.artist_id = appointments.artist_id OFFSET 0)`.as(
        'artist_blocks_senders',
      ),
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
          AND coalesce(own.merged_into, own.id) = clients.id OFFSET 0)`.as('is_proven_client'),
      clientEmailChangeOf(sql.ref('appointments.id')).as('email_change'),
    ])
    .where('appointments.id', '=', id),
);

/** Finds the artist of an appointment, and how its time is reserved. The columns are those of `AppointmentRow`. */
export function findReservation(database: Database, id: string) {
  return database
    .selectFrom('appointments')
    .leftJoinLateral(selectTime, (join) => join.onTrue())
    .select(['appointments.artist_id', 'time.occupies', 'time.expires_at'])
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
