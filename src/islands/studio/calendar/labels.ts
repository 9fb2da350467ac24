import { dayKindOn } from '#domain/availability_preview.ts';
import type { LocalDate } from '#domain/calendar_date.ts';
import { formatTime } from '#domain/format_time.ts';
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
  const kind = dayKindOn(schedule, date);
  if (kind === 'off') return 'You have this day off.';
  if (kind === 'closed') return 'Closed by your weekly hours.';
  const format = (time: string) =>
    formatTime(resolveWallTime(zone, date, parseWallTime(time)).instant, zone);
  const hours = openingWindowsOn(schedule, date).map(
    ({ start, end }) => `${format(start)} – ${format(end)}`,
  );
  return `Open ${hours.join(', ')}.`;
}
