import type { AppointmentStatus } from '#domain/appointment.ts';
import { formatTime } from '#domain/format_time.ts';
import type { CalendarEntry } from '#stores/studio/calendar.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';

/** Statuses short enough for the calendar; a confirmed appointment needs none. */
const SHORT_STATUS_LABELS: Partial<Record<AppointmentStatus, string>> = {
  held: 'Not confirmed',
  offered: 'Offered',
  completed: 'Completed',
  no_show: 'Did not come',
};

interface EntryTextProps {
  entry: CalendarEntry;
  zone: string;
  /** The start to show: while the appointment is dragged, the new one. */
  start: number;
  layout: 'line' | 'full';
}

/** The text of an appointment on the calendar. */
export function EntryText({ entry: { appointment }, zone, start, layout }: EntryTextProps) {
  const status = SHORT_STATUS_LABELS[appointment.status];
  return (
    <span className="entry-text" data-room={layout}>
      <span className="entry-time">{`${formatTime(start, zone)} `}</span>
      <span className="entry-name">{`${appointmentClientName(appointment.client)} `}</span>
      {status && <span className="entry-word">{`${status} `}</span>}
      <span className="entry-what">{formatSubject(appointment)}</span>
    </span>
  );
}
