import { dayKind } from '#domain/preview.ts';
import { type Schedule, windowsOn } from '#domain/schedule.ts';
import { timeOf } from '#domain/show_time.ts';
import { type LocalDate, readWallClock, wallMinute } from '#domain/time.ts';

/** When the studio is open on a date. */
export function dayWords(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
  zone: string,
): string {
  const kind = dayKind(schedule, date);
  if (kind === 'off') return 'You have this day off.';
  if (kind === 'closed') return 'Closed by your weekly hours.';
  const hours = windowsOn(schedule, date).map(({ start, end }) =>
    [start, end]
      .map((time) => timeOf(readWallClock(zone, date, wallMinute(time)).instant, zone))
      .join(' – '),
  );
  return `Open ${hours.join(', ')}.`;
}
