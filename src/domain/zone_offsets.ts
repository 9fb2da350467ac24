/**
 * A studio's time zone for browsers, as the API sends it. The zone data of a browser may be older than
 * the server's, or lack the zone, so browsers compute a studio's times from these offsets alone.
 */
import { type Instant, MINUTE_MS } from './time.ts';

/** The UTC offset from an instant (RFC 3339), included, to the next one. */
export interface ZoneOffset {
  readonly from: string;
  readonly minutes: number;
}

/** An IANA name, and the offsets of a time, the earliest first; that time begins with the first. */
export interface StudioZone {
  readonly time_zone: string;
  readonly offsets: readonly ZoneOffset[];
}

/** An IANA name by itself is for the server, for `UTC`, and for a zone that the platform reported. */
export type Zone = string | StudioZone;

/** The IANA name. */
export function zoneName(zone: Zone): string {
  return typeof zone === 'string' ? zone : zone.time_zone;
}

/** The same zone, with the offsets that an answer of the API has for its own instants. */
export function withOffsets(
  { time_zone }: StudioZone,
  { offsets }: Pick<StudioZone, 'offsets'>,
): StudioZone {
  return { time_zone, offsets };
}

/** The UTC offset at an instant, in minutes; null before the first of `offsets`. */
export function offsetMinutesAt({ offsets }: StudioZone, instant: Instant): number | null {
  return offsets.findLast(({ from }) => Date.parse(from) <= instant)?.minutes ?? null;
}

/** The instant at which clocks in UTC show what the studio's show; `instant` itself before `offsets`. */
export function shiftToUtc(zone: StudioZone, instant: Instant): Instant {
  return instant + (offsetMinutesAt(zone, instant) ?? 0) * MINUTE_MS;
}
