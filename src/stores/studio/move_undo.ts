// Undo of a move. The mail about the move waits for it (docs/decisions, 0047).
import type { Appointment } from '#contract/appointment.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/format_time.ts';
import { type StudioZone, zoneOf } from '#domain/zone_offsets.ts';
import { showSuccessToast, type ToastAction } from '../toasts.ts';
import { restoreAppointmentTime } from './appointments.ts';
import { attempt } from './attempt.ts';
import { parseAppointmentTime } from './booked_appointments.ts';

/**
 * The button Undo for the toast of a move.
 * @param zone the studio's
 * @returns null when the appointment had no time before
 */
export function undoOfMove(
  before: Appointment,
  moved: Appointment,
  zone: StudioZone,
): ToastAction | null {
  if (parseAppointmentTime(before) === null) return null;
  return { label: 'Undo', run: () => void moveBack(before, moved, zone) };
}

async function moveBack(before: Appointment, moved: Appointment, zone: StudioZone): Promise<void> {
  const time = parseAppointmentTime(before);
  if (time === null) return;
  // Only an offer gets its note together with its time.
  const note = before.status === 'offered' ? (before.note ?? '') : undefined;
  await attempt('Not saved.', ['appointments'], async () => {
    const restored = await restoreAppointmentTime(moved, time, note);
    showSuccessToast(
      'Moved back.',
      `It is where it was: ${formatWhen(restored, zone)}. Nobody is mailed.`,
    );
  });
}

/** The date and the time of an appointment; '' without a time. */
export function formatWhen(appointment: Appointment, studio: StudioZone): string {
  const { start, end } = appointment;
  if (start === null || end === null) return '';
  const zone = zoneOf(studio, appointment);
  return `${formatDayWithYear(start, zone)}, ${formatTimeRange(start, end, zone)}`;
}
