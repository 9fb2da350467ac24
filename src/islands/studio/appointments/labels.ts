import type { Appointment } from '#contract/appointment.ts';
import type { AppointmentStatus } from '#domain/appointment.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/format_time.ts';

/** Each state as artists speak of it. */
export const STATUS_LABELS: Record<AppointmentStatus, string> = {
  requested: 'Waiting for your answer',
  held: 'Picked, not confirmed yet',
  offered: 'Offered, not confirmed yet',
  confirmed: 'Confirmed',
  declined: 'Declined',
  expired: 'Expired, never confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  no_show: 'Did not come',
};

type AppointmentClient = Appointment['client'];

/** What to call a client. */
export function clientName({ first_name, last_name, email }: AppointmentClient): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || 'A client without a name';
}

/** The address of a link that writes to someone. */
export function mailtoHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

/** What a client is called in a sentence. */
export function clientShortName({ first_name }: AppointmentClient): string {
  return first_name ?? 'the client';
}

/** The address of the client's own page of an appointment: whoever has it can confirm. */
export function confirmationUrl({ username }: { username: string }, id: string): string {
  return `${location.origin}/${username}/confirmation/${id}/`;
}

/** What it is about, in a few words. */
export function formatSubject({
  service,
  design,
}: Pick<Appointment, 'service' | 'design'>): string {
  return [service?.name, design?.name].filter(Boolean).join(' · ') || 'Tattoo';
}

/** Day and time in the studio's zone; null while there is no time. */
export function formatAppointmentTime(
  { start, end }: Pick<Appointment, 'start' | 'end'>,
  zone: string,
) {
  if (start === null || end === null) return null;
  return `${formatDayWithYear(start, zone)}, ${formatTimeRange(start, end, zone)}`;
}
