/** Whether an artist takes new bookings and requests. Appointments that exist go on. */
import type { SchedulingType } from '../studio/artist.ts';
import { addDays, type LocalDate } from '../time/calendar_date.ts';
import { localDateAt } from '../time/format_time.ts';
import type { Instant } from '../time/time.ts';
import { resolveWallTime } from '../time/wall_clock.ts';
import type { Zone } from '../time/zone_offsets.ts';
import type { BookingRange } from './booking_range.ts';

export const BOOKS_STATES = ['open', 'closed'] as const;

/** As the artist has set it. Stored as JSON. */
export interface Books {
  readonly state: (typeof BOOKS_STATES)[number];
}

export interface BooksSettings {
  /** Null: the artist has set nothing. */
  readonly books: Books | null;
  readonly scheduling_type: SchedulingType | null;
  readonly booking_range: BookingRange;
  /** Of the studio. */
  readonly time_zone: Zone;
}

/**
 * Whether the books are open, and when that changes without a write; null: never. Without a setting they
 * are open, but clients who choose no time need a booking range that has today.
 */
export function booksAt(
  { books, scheduling_type, booking_range: range, time_zone: zone }: BooksSettings,
  now: Instant,
): { readonly isOpen: boolean; readonly until: Instant | null } {
  if (books !== null) return { isOpen: books.state === 'open', until: null };
  if (scheduling_type !== 'managed' || range.kind !== 'fixed') return { isOpen: true, until: null };
  const today = localDateAt(zone, now);
  const midnight = (date: LocalDate) => resolveWallTime(zone, date, 0).instant;
  if (today < range.start) return { isOpen: false, until: midnight(range.start) };
  if (today <= range.end) return { isOpen: true, until: midnight(addDays(range.end, 1)) };
  return { isOpen: false, until: null };
}
