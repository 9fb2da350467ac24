import type { Slot } from '#contract/availability.ts';
import { formatDayWithYear, formatTimeRange, isSameWallTime } from '#domain/format_time.ts';
import { browserTimeZone, useHydrated } from './browser.ts';

/** A time on the client's own clock; nothing if that shows the same as the studio's, in `zone`. */
export function OwnClockTime({ start, end, zone }: Slot & { zone: string }) {
  const ownZone = useHydrated() ? browserTimeZone() : zone;
  if (isSameWallTime(zone, ownZone, start)) return null;
  return (
    <p className="mt-1 text-muted">
      {`On your clock: ${formatDayWithYear(start, ownZone)}, ${formatTimeRange(start, end, ownZone)} (${ownZone})`}
    </p>
  );
}
