/** The history of appointments: rows are only added. */
import type { Insertable } from 'kysely';
import type {
  Actor,
  AppointmentEventKind,
  AppointmentStatus,
} from '#domain/appointments/appointment.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import type { AppointmentEvents } from './tables.ts';

/** An event to add to the history of an appointment. */
export interface NewAppointmentEvent {
  readonly appointmentId: string;
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly at: Instant;
  /** Null for a new appointment. */
  readonly fromStatus: AppointmentStatus | null;
  readonly toStatus: AppointmentStatus;
  /** The start before the event, and after it; null without a time. */
  readonly fromStart: Instant | null;
  readonly toStart: Instant | null;
  /** The actor's text to the other side. */
  readonly note?: string | null | undefined;
}

/** The row of an event, for a statement that inserts it. */
export function toEventRow(event: NewAppointmentEvent): Insertable<AppointmentEvents> {
  const toDate = (instant: Instant | null) => (instant === null ? null : new Date(instant));
  return {
    appointment_id: event.appointmentId,
    actor: event.actor,
    what: event.what,
    happened_at: new Date(event.at),
    from_status: event.fromStatus,
    to_status: event.toStatus,
    from_start: toDate(event.fromStart),
    to_start: toDate(event.toStart),
    note: event.note || null,
  };
}

/** Adds events to the histories of appointments, in their order. */
export async function insertAppointmentEvents(
  database: Database,
  events: readonly NewAppointmentEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await database.insertInto('appointment_events').values(events.map(toEventRow)).execute();
}

/** A row of `selectEventsOfArtist`. */
export type AppointmentEventRow = Awaited<ReturnType<typeof listAppointmentEvents>>[number];

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

/** Lists the history of the artist's appointment, the oldest first. */
export function listAppointmentEvents(database: Database, artistId: string, appointmentId: string) {
  return selectEventsOfArtist(database, artistId)
    .where('appointment_id', '=', appointmentId)
    .execute();
}
