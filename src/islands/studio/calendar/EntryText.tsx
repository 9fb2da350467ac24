import { formatTime } from '#domain/show_time.ts';
import type { Entry } from '#stores/studio/calendar.ts';
import { clientName, subject } from '../appointments/words.ts';
import { STATE_WORDS } from './states.ts';

interface EntryTextProps {
  entry: Entry;
  zone: string;
  /** Where it stands, also while it is being moved. */
  start: number;
  /** Whether all of it has room, or one line. */
  room: 'line' | 'full';
}

/** What an appointment says of itself in its place on the calendar. */
export function EntryText({ entry: { appointment }, zone, start, room }: EntryTextProps) {
  const word = STATE_WORDS[appointment.status];
  return (
    <span className="entry-text" data-room={room}>
      <span className="entry-time">{formatTime(start, zone)}</span>{' '}
      <span className="entry-name">{clientName(appointment.client)}</span>{' '}
      {word && <span className="entry-word">{word}</span>}{' '}
      <span className="entry-what">{subject(appointment)}</span>
    </span>
  );
}
