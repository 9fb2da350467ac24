import type { DateConventions } from '#domain/date_conventions.ts';
import { formatShortDayAndTime, isSameWallTime } from '#domain/format_time.ts';
import { browserTimeZone, useHydrated } from '../browser.ts';

/** How a client reads the times of an appointment. */
export interface StudioClock {
  /** The studio's zone, in which they are shown. */
  readonly zone: string;
  /** The client's own zone; the studio's as long as it is not known, as on our server. */
  readonly ownZone: string;
  readonly conventions: DateConventions;
}

export function useStudioClock(zone: string, conventions: DateConventions): StudioClock {
  const hydrated = useHydrated();
  return { zone, ownZone: hydrated ? browserTimeZone() : zone, conventions };
}

/** A day and a time such as `Tue, Dec 1, 10:00 AM`, which says so when the client's clock shows another. */
export function formatStudioTime(at: string, clock: StudioClock): string {
  const time = formatShortDayAndTime(at, clock.zone, clock.conventions);
  return `${time}${studioTimeNote(at, clock)}`;
}

/** ` studio time` after a time that is another one on the client's clock; '' otherwise. */
export function studioTimeNote(at: string, { zone, ownZone }: StudioClock): string {
  return isSameWallTime(zone, ownZone, at) ? '' : ' studio time';
}
