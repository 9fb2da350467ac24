import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/date_conventions.ts';
import {
  formatDayWithYear,
  formatShortDayAndTime,
  formatTimeRange,
  isSameWallTime,
} from '#domain/format_time.ts';
import { browserTimeZone, useHydrated } from './browser.ts';

/** ` studio time` to follow a time in the studio's zone where the client's clock shows another; or ''. */
export function useStudioTimeNote(zone: string, at: string): string {
  const ownZone = useHydrated() ? browserTimeZone() : zone;
  return isSameWallTime(zone, ownZone, at) ? '' : ' studio time';
}

interface StudioTimeProps {
  /** RFC 3339. */
  at: string;
  /** The studio's. */
  zone: string;
  conventions: DateConventions;
  /** Puts the time into a sentence: one text, so that translations of the page stay whole. */
  children: (time: string) => string;
}

/** A time in the studio's zone, which says so where the client's clock shows another. */
export function StudioTime({ at, zone, conventions, children }: StudioTimeProps) {
  const note = useStudioTimeNote(zone, at);
  return <span>{children(`${formatShortDayAndTime(at, zone, conventions)}${note}`)}</span>;
}

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
