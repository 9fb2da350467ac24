import type { Actor, AppointmentEventKind, AppointmentStatus } from '#domain/appointment.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { insertAppointmentEvents } from '#server/database/appointment_events.ts';
import {
  type AppointmentRow,
  toAppointmentTime,
  updateAppointmentStatus,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';

/** A change of an appointment by one step of the table of transitions. */
export interface AppointmentTransition {
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly status: AppointmentStatus;
  /** The start after the change; the earlier one unless set; null without a time. */
  readonly start?: Instant | null | undefined;
  /** The actor's text to the other side, for the history. */
  readonly note?: string | undefined;
  /** The artist's text as the client's page shows it; null removes it; unset, it stays. */
  readonly artistNote?: string | null | undefined;
  readonly isSetByArtist?: boolean;
  /** Whether it still uses up an edition of its design although it is cancelled; unset, it stays. */
  readonly keepsEdition?: boolean | undefined;
}

/**
 * Changes an appointment, unless it was changed since `row` was read, and adds to its history. Call
 * inside `updateCalendar`, with a row whose lapse is stored (`storeLapse`).
 * @throws Refusal `status_changed` when the stored status or version is no longer that of `row`
 */
export async function saveTransition(
  transaction: Database,
  row: AppointmentRow,
  { actor, what, status, start, note, artistNote, ...columns }: AppointmentTransition,
  now: Instant,
): Promise<void> {
  const changes = { ...columns, note: artistNote };
  const isSaved = await updateAppointmentStatus(transaction, row, status, changes);
  if (!isSaved) throw refuse('status_changed');
  const fromStart = toAppointmentTime(row)?.start ?? null;
  const toStart = start === undefined ? fromStart : start;
  await insertAppointmentEvents(transaction, [
    {
      appointmentId: row.id,
      actor,
      what,
      at: now,
      fromStatus: row.status,
      toStatus: status,
      fromStart,
      toStart,
      note,
    },
  ]);
}
