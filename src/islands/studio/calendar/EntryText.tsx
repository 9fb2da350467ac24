import { formatTime } from '#domain/format_time.ts';
import type { CalendarItem } from '#stores/studio/calendar.ts';
import { clientName, formatSubject } from '../appointments/labels.ts';
import { SHORT_STATUS_LABELS } from './statuses.ts';

interface EntryTextProps {
  entry: CalendarItem;
  zone: string;
  /** Where it stands, also while it is being moved. */
  start: number;
  /** Whether all of it has room, or one line. */
  layout: 'line' | 'full';
}

/** What an appointment says of itself in its place on the calendar. */
export function EntryText({ entry: { appointment }, zone, start, layout: room }: EntryTextProps) {
  const word = SHORT_STATUS_LABELS[appointment.status];
  return (
    <span className="entry-text" data-room={room}>
      <span className="entry-time">{formatTime(start, zone)}</span>{' '}
      <span className="entry-name">{clientName(appointment.client)}</span>{' '}
      {word && <span className="entry-word">{word}</span>}{' '}
      <span className="entry-what">{formatSubject(appointment)}</span>
    </span>
  );
}
