import type { AppointmentMailData, AppointmentSnapshot } from '#domain/mail.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { toAppointmentSnapshot } from './notify.ts';

/** Mails that tell how an appointment is, and not what it was. */
const KINDS_WITH_CURRENT_FACTS: ReadonlySet<AppointmentMailData['kind']> = new Set([
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'reminder',
  'new_booking',
  'client_moved',
]);

/**
 * The notice with the appointment's time and studio as they are now. No newer mail may correct it:
 * artists get no mail about their own changes, and clients none about an untold change of the studio.
 */
export async function withCurrentFacts<Notice extends AppointmentMailData>(
  transaction: Database,
  notice: Notice,
): Promise<Notice> {
  const { kind, appointment } = notice;
  if (!KINDS_WITH_CURRENT_FACTS.has(kind)) return notice;
  const [row] = await listAppointmentsByIds(transaction, [appointment.id]);
  if (!row || row.version <= appointment.version) return notice;
  const { by, wasBooked, movedFrom, note, studioChange } = appointment;
  const current = toAppointmentSnapshot(row, { wasBooked });
  // A reminder of another start is sent on its own, so this one is dropped.
  if (kind === 'reminder' && current.time?.start !== appointment.time?.start) return notice;
  const isBack = movedFrom === current.time?.start;
  const facts: AppointmentSnapshot = {
    ...current,
    note,
    movedFrom: isBack ? null : movedFrom,
    ...(by !== undefined && { by }),
    ...(studioChange && { studioChange }),
    // The row of a request may still have the time of an offer that has lapsed.
    ...(kind === 'request_received' && { time: appointment.time, lapsesAt: appointment.lapsesAt }),
  };
  return { ...notice, appointment: facts };
}
