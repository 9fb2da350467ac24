import { dayKindOn } from '#domain/booking/availability_preview.ts';
import { nightBeforeEnd, toTypedHours } from '#domain/booking/opening_hours.ts';
import { type OpeningHours, openingWindowsOn } from '#domain/booking/schedule.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import { formatClockTime } from '#domain/time/format_time.ts';

/** How a date differs from an open day of the week, such as 'Closed'; null when it does not. */
export function formatDayKind(typed: OpeningHours, date: LocalDate): string | null {
  const kind = dayKindOn(typed, date);
  if (kind === 'off') return `Day off${formatFrom(typed, date)}`;
  if (kind === 'closed') return `Closed${formatFrom(typed, date)}`;
  return kind === 'own' ? 'Other hours' : null;
}

export function formatDayHours(schedule: OpeningHours, date: LocalDate): string {
  const typed = toTypedHours(schedule, date);
  const kind = dayKindOn(typed, date);
  if (kind === 'off') return `You have this day off${formatFrom(typed, date)}.`;
  if (kind === 'closed') return `Closed by your weekly hours${formatFrom(typed, date)}.`;
  const hours = openingWindowsOn(typed, date).map(
    ({ start, end }) => `${formatClockTime(start)} – ${formatClockTime(end)}`,
  );
  return `Open ${hours.join(', ')}.`;
}

/** ' from 2:00 AM' when the night before lasts until then. */
function formatFrom(typed: OpeningHours, date: LocalDate): string {
  const nightEnd = nightBeforeEnd(typed, date);
  return nightEnd === null ? '' : ` from ${formatClockTime(nightEnd)}`;
}
