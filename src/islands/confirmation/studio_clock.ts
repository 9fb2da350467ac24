import type { DateConventions } from '#domain/date_conventions.ts';
import {
  formatShortDayAndTime,
  formatTime,
  isSameWallTime,
  localDateAt,
} from '#domain/format_time.ts';
import { deviceTimeZone } from '#domain/time_zone.ts';
import type { StudioZone, Zone } from '#domain/zone_offsets.ts';
import { useHydrated } from '../browser.ts';

/** How a client reads the times of an appointment. */
export interface StudioClock {
  /** The studio's zone: of the appointment and of what happened. */
  readonly zone: StudioZone;
  /** The client's own zone: of deadlines. The studio's as long as it is not known, as on our server. */
  readonly ownZone: Zone;
  readonly conventions: DateConventions;
}

export function useStudioClock(zone: StudioZone, conventions: DateConventions): StudioClock {
  const hydrated = useHydrated();
  return { zone, ownZone: (hydrated ? deviceTimeZone() : null) ?? zone, conventions };
}

/** Whether the client's clock shows the same as the studio's at an instant (RFC 3339). */
export function isSameClock(at: string, { zone, ownZone }: StudioClock): boolean {
  return isSameWallTime(zone, ownZone, at);
}

/**
 * Until when the client can do something, such as `Tue, Dec 1, 10:00 AM`: on the client's own clock, which
 * it says where that shows another time than the studio's.
 * @param at RFC 3339
 * @param today a date `YYYY-MM-DD` on the client's clock, whose times are shown without the day
 */
export function formatDeadline(at: string, clock: StudioClock, today?: string): string {
  const { ownZone, conventions } = clock;
  const time =
    localDateAt(ownZone, at) === today
      ? formatTime(at, ownZone, conventions)
      : formatShortDayAndTime(at, ownZone, conventions);
  return isSameClock(at, clock) ? time : `${time} on your clock`;
}
