import type { DateConventions } from '#domain/time/date_conventions.ts';
import {
  formatShortDayAndTime,
  formatTime,
  isSameWallTime,
  localDateAt,
} from '#domain/time/format_time.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import type { StudioZone, Zone } from '#domain/time/zone_offsets.ts';
import { useHydrated } from '../browser.ts';

/** The zones and conventions in which a client reads the times of an appointment. */
export interface StudioClock {
  /** The studio's zone, for the appointment's time and its history. */
  readonly zone: StudioZone;
  /** The client's own zone, for deadlines; the studio's while it is not known, as on our server. */
  readonly ownZone: Zone;
  readonly conventions: DateConventions;
}

/** The clock for an appointment in this studio; the client's own zone is known once the island is hydrated. */
export function useStudioClock(zone: StudioZone, conventions: DateConventions): StudioClock {
  const hydrated = useHydrated();
  return { zone, ownZone: (hydrated ? deviceTimeZone() : null) ?? zone, conventions };
}

/** Whether the client's clock shows the same as the studio's at an instant (RFC 3339). */
export function isSameClock(at: string, { zone, ownZone }: StudioClock): boolean {
  return isSameWallTime(zone, ownZone, at);
}

/**
 * A deadline on the client's own clock, such as `Tue, Dec 1, 10:00 AM`. Ends in `on your clock` where the
 * studio's shows another time.
 * @param at RFC 3339
 * @param today the client's date, `YYYY-MM-DD`: its times are shown without the day
 */
export function formatDeadline(at: string, clock: StudioClock, today?: string): string {
  const { ownZone, conventions } = clock;
  const time =
    localDateAt(ownZone, at) === today
      ? formatTime(at, ownZone, conventions)
      : formatShortDayAndTime(at, ownZone, conventions);
  return isSameClock(at, clock) ? time : `${time} on your clock`;
}
