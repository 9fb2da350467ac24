/** The history of appointments: rows are only added. */
import { sql } from 'kysely';
import type { Actor, AppointmentEventKind, AppointmentStatus } from '#domain/appointment.ts';
import type { BookingRange } from '#domain/booking_range.ts';
import type { Books } from '#domain/books.ts';
import type { ClientEmailChange } from '#domain/client_email.ts';
import type { Instant } from '#domain/time.ts';
import { clientEmailChangeOf } from './client_email_changes.ts';
import type { Database } from './connect.ts';
import { type DataRequestRow, dataRequestsOf } from './data_requests.ts';

/** What happened to an appointment, to add to its history. */
export interface NewAppointmentEvent {
  readonly appointmentId: string;
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly at: Instant;
  /** Null for a new appointment. */
  readonly fromStatus: AppointmentStatus | null;
  readonly toStatus: AppointmentStatus;
  /** The start before and after; null without a time. */
  readonly fromStart: Instant | null;
  readonly toStart: Instant | null;
  /** The actor's text to the other side. */
  readonly note?: string | null | undefined;
}

/** Adds events to the histories of appointments, in their order. */
export async function insertAppointmentEvents(
  database: Database,
  events: readonly NewAppointmentEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const toDate = (instant: Instant | null) => (instant === null ? null : new Date(instant));
  await database
    .insertInto('appointment_events')
    .values(
      events.map(({ appointmentId, actor, what, at, note, ...change }) => ({
        appointment_id: appointmentId,
        actor,
        what,
        happened_at: new Date(at),
        from_status: change.fromStatus,
        to_status: change.toStatus,
        from_start: toDate(change.fromStart),
        to_start: toDate(change.toStart),
        note: note || null,
      })),
    )
    .execute();
}

export type AppointmentEventRow = Awaited<ReturnType<typeof listAppointmentEvents>>[number];

/** Lists the history of the artist's appointment, the oldest first. */
export function listAppointmentEvents(database: Database, artistId: string, appointmentId: string) {
  return database
    .selectFrom('appointment_events')
    .innerJoin('appointments', 'appointments.id', 'appointment_events.appointment_id')
    .select(['actor', 'what', 'happened_at', 'from_status', 'to_status', 'from_start', 'to_start'])
    .select('note')
    .where('appointment_id', '=', appointmentId)
    .where('appointments.artist_id', '=', artistId)
    .orderBy('appointment_events.id')
    .execute();
}

/** Selects the histories of all of an artist's appointments, each from its oldest event on. */
export function selectEventsOfArtist(database: Database, artistId: string) {
  return database
    .selectFrom('appointment_events')
    .innerJoin('appointments', 'appointments.id', 'appointment_events.appointment_id')
    .select(['actor', 'what', 'happened_at', 'from_status', 'to_status', 'from_start', 'to_start'])
    .select(['note', 'appointment_id'])
    .where('appointments.artist_id', '=', artistId)
    .orderBy('appointment_id')
    .orderBy('appointment_events.id');
}

/** What the client's view shows beyond the appointment itself. */
export interface ClientViewRow {
  readonly is_active: boolean;
  readonly books: Books | null;
  readonly booking_range: BookingRange;
  readonly client_cancel_notice_hours: number | null;
  readonly client_move_notice_hours: number | null;
  readonly times: readonly { id: string; start: Instant; end: Instant }[];
  readonly events: readonly {
    actor: Actor;
    what: AppointmentEventKind;
    at: Instant;
    start: Instant | null;
  }[];
  /** Of the client's record, the oldest first. */
  readonly data_requests: readonly DataRequestRow[];
  /**
   * Whether the owner of the appointment's email has used its mailed link, and the client's record, or one
   * merged into it, has that email.
   */
  readonly is_proven_client: boolean;
  /** When the artist erased the client's personal data. */
  readonly data_erased_at: Date | null;
  readonly email_change: ClientEmailChange | null;
}

/** Loads the history, the artist's terms and the client's data requests of an appointment in one statement. */
export async function findClientView(
  database: Database,
  artistId: string,
  appointmentId: string,
): Promise<ClientViewRow | undefined> {
  // Instants are milliseconds since 1970; `epoch` is seconds.
  const { rows } = await sql<ClientViewRow>`
    SELECT is_active, books, booking_range, client_cancel_notice_hours, client_move_notice_hours,
      coalesce((
        SELECT json_agg(json_build_object('id', id,
          'start', (extract(epoch FROM lower(during)) * 1000)::bigint,
          'end', (extract(epoch FROM upper(during)) * 1000)::bigint) ORDER BY lower(during))
        FROM appointment_times WHERE appointment_id = appointments.id
      ), '[]') AS times,
      coalesce((
        SELECT json_agg(json_build_object('actor', actor, 'what', what,
          'at', (extract(epoch FROM happened_at) * 1000)::bigint,
          'start', (extract(epoch FROM to_start) * 1000)::bigint) ORDER BY id)
        FROM appointment_events WHERE appointment_id = appointments.id
      ), '[]') AS events,
      ${dataRequestsOf(sql.ref('appointments.client_id'))} AS data_requests,
      mail_link_used AND EXISTS (SELECT FROM clients AS own
        WHERE own.artist_id = appointments.artist_id AND lower(own.email) = lower(appointments.email)
          AND coalesce(own.merged_into, own.id) = clients.id) AS is_proven_client,
      clients.erased_at AS data_erased_at,
      ${clientEmailChangeOf(sql.ref('appointments.id'))} AS email_change
    FROM appointments
    JOIN clients ON clients.id = appointments.client_id
    JOIN artists ON artists.id = appointments.artist_id
    JOIN schedules ON schedules.artist_id = appointments.artist_id
    WHERE appointments.id = ${appointmentId} AND appointments.artist_id = ${artistId}
  `.execute(database);
  return rows[0];
}
