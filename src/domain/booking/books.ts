/** Whether an artist takes new bookings and requests. Appointments that exist go on. */
import type { SchedulingType } from '../studio/artist.ts';
import { addDays, type LocalDate } from '../time/calendar_date.ts';
import { localDateAt } from '../time/format_time.ts';
import type { Instant } from '../time/time.ts';
import { resolveWallTime } from '../time/wall_clock.ts';
import type { Zone } from '../time/zone_offsets.ts';
import type { BookingRange } from './booking_range.ts';

/** What an artist sets: whether clients may book. */
export const BOOKS_STATES = ['open', 'closed'] as const;

/** As the artist has set it. Stored as JSON. */
export interface Books {
  readonly state: (typeof BOOKS_STATES)[number];
}

/** All that decides whether the books are open. */
export interface BooksSettings {
  /** Null: the artist has set nothing. */
  readonly books: Books | null;
  readonly scheduling_type: SchedulingType | null;
  readonly booking_range: BookingRange;
  /** Of the studio. */
  readonly time_zone: Zone;
}

export interface BooksAt {
  readonly isOpen: boolean;
  /** When this changes although nobody edits anything; null: never. */
  readonly until: Instant | null;
}

/**
 * Whether the books are open at `now`. Without a setting they are; but where clients choose no time, only if the
 * booking range has today.
 */
export function booksAt(
  { books, scheduling_type, booking_range: range, time_zone: zone }: BooksSettings,
  now: Instant,
): BooksAt {
  if (books !== null) return { isOpen: books.state === 'open', until: null };
  if (scheduling_type !== 'managed' || range.kind !== 'fixed') return { isOpen: true, until: null };
  const today = localDateAt(zone, now);
  const midnight = (date: LocalDate) => resolveWallTime(zone, date, 0).instant;
  if (today < range.start) return { isOpen: false, until: midnight(range.start) };
  if (today <= range.end) return { isOpen: true, until: midnight(addDays(range.end, 1)) };
  return { isOpen: false, until: null };
}
