import { dayKindOn } from '#domain/availability_preview.ts';
import type { LocalDate } from '#domain/calendar_date.ts';
import { formatClockTime } from '#domain/format_time.ts';
import { nightBeforeEnd, toTypedHours } from '#domain/opening_hours.ts';
import { openingWindowsOn, type Schedule } from '#domain/schedule.ts';

/** The opening hours of a date in a sentence. */
export function formatDayHours(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
): string {
  const typed = toTypedHours(schedule, date);
  const kind = dayKindOn(typed, date);
  const nightEnd = nightBeforeEnd(typed, date);
  const from = nightEnd === null ? '' : ` from ${formatClockTime(nightEnd)}`;
  if (kind === 'off') return `You have this day off${from}.`;
  if (kind === 'closed') return `Closed by your weekly hours${from}.`;
  const hours = openingWindowsOn(typed, date).map(
    ({ start, end }) => `${formatClockTime(start)} – ${formatClockTime(end)}`,
  );
  return `Open ${hours.join(', ')}.`;
}
