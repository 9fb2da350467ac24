import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/date_conventions.ts';
import { formatDayWithYear, formatTimeRange, isSameWallTime } from '#domain/format_time.ts';
import { browserTimeZone, useHydrated } from './browser.ts';

/** A time on the client's own clock; nothing if that shows the same as the studio's, in `zone`. */
export function OwnClockTime(props: Slot & { zone: string; conventions: DateConventions }) {
  const { start, end, zone, conventions } = props;
  const ownZone = useHydrated() ? browserTimeZone() : zone;
  if (isSameWallTime(zone, ownZone, start)) return null;
  return (
    <p className="mt-1 text-muted">
      {`On your clock: ${formatDayWithYear(start, ownZone, conventions)}, ${formatTimeRange(start, end, ownZone, conventions)} (${ownZone})`}
    </p>
  );
}
