import { dayKindOn } from '#domain/availability_preview.ts';
import { addDays, type LocalDate } from '#domain/calendar_date.ts';
import { formatTime } from '#domain/format_time.ts';
import { endsNextDay, nightBeforeEnd, toTypedHours } from '#domain/opening_hours.ts';
import { openingWindowsOn, type Schedule } from '#domain/schedule.ts';
import { parseWallTime } from '#domain/time.ts';
import { resolveWallTime } from '#domain/wall_clock.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';

/** The opening hours of a date in a sentence; `zone` is the studio's. */
export function formatDayHours(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
  zone: StudioZone,
): string {
  const typed = toTypedHours(schedule, date);
  const kind = dayKindOn(typed, date);
  const format = (time: string, day = date) =>
    formatTime(resolveWallTime(zone, day, parseWallTime(time)).instant, zone);
  const nightEnd = nightBeforeEnd(typed, date);
  const from = nightEnd === null ? '' : ` from ${format(nightEnd)}`;
  if (kind === 'off') return `You have this day off${from}.`;
  if (kind === 'closed') return `Closed by your weekly hours${from}.`;
  const hours = openingWindowsOn(typed, date).map((window) => {
    const lastDay = endsNextDay(window) ? addDays(date, 1) : date;
    return `${format(window.start)} – ${format(window.end, lastDay)}`;
  });
  return `Open ${hours.join(', ')}.`;
}
