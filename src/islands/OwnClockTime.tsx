import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatDayWithYear, formatTimeRange, isSameWallTime } from '#domain/time/format_time.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { useHydrated } from './browser.ts';

/** A time on the client's own clock; nothing if the studio's clock shows the same. `zone` is the studio's. */
export function OwnClockTime(props: Slot & { zone: StudioZone; conventions: DateConventions }) {
  const { start, end, zone, conventions } = props;
  const isHydrated = useHydrated();
  const ownZone = isHydrated ? deviceTimeZone() : null;
  if (ownZone === null || isSameWallTime(zone, ownZone, start)) return null;
  return (
    <p className="mt-1 text-muted">
      {`On your clock: ${formatDayWithYear(start, ownZone, conventions)}, ${formatTimeRange(start, end, ownZone, conventions)} (${ownZone})`}
    </p>
  );
}
