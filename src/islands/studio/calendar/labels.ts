import { dayKindOn } from '#domain/booking/availability_preview.ts';
import { nightBeforeEnd, toTypedHours } from '#domain/booking/opening_hours.ts';
import { type OpeningHours, openingWindowsOn } from '#domain/booking/schedule.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import { formatClockTime } from '#domain/time/format_time.ts';

/** How a date differs from a usual open day, such as 'Closed'; null when it does not. */
export function formatDayKind(typedHours: OpeningHours, date: LocalDate): string | null {
  const kind = dayKindOn(typedHours, date);
  if (kind === 'off') return `Day off${formatFrom(typedHours, date)}`;
  if (kind === 'closed') return `Closed${formatFrom(typedHours, date)}`;
  return kind === 'own' ? 'Other hours' : null;
}

/** The opening hours of a date as a sentence to the artist, or why there are none. @param schedule as stored */
export function formatDayHours(schedule: OpeningHours, date: LocalDate): string {
  const typedHours = toTypedHours(schedule, date);
  const kind = dayKindOn(typedHours, date);
  if (kind === 'off') return `You have this day off${formatFrom(typedHours, date)}.`;
  if (kind === 'closed') return `Closed by your weekly hours${formatFrom(typedHours, date)}.`;
  const hours = openingWindowsOn(typedHours, date).map(
    ({ start, end }) => `${formatClockTime(start)} – ${formatClockTime(end)}`,
  );
  return `Open ${hours.join(', ')}.`;
}

/** ' from 2:00 AM' when the hours of the day before last until then; else empty. */
function formatFrom(typedHours: OpeningHours, date: LocalDate): string {
  const nightEnd = nightBeforeEnd(typedHours, date);
  return nightEnd === null ? '' : ` from ${formatClockTime(nightEnd)}`;
}
