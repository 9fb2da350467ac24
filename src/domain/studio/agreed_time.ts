/**
 * The clock time that was agreed for the start of an appointment. Governments change the rules of
 * zones: with newer zone data, clocks show another time at the same instant.
 */
import { localDateAt, wallTimeAt } from '../time/format_time.ts';
import { type Instant, MINUTE_MS, parseWallTime } from '../time/time.ts';
import { resolveWallTime } from '../time/wall_clock.ts';
import type { Zone } from '../time/zone_offsets.ts';
import { sameClockTime } from './studio_time.ts';

/** Stored as JSON, so it holds only plain values. */
export interface AgreedTime {
  /** The IANA name of the studio's zone at that time. */
  readonly zone: string;
  /** Date and wall-clock time of the start, such as `2027-01-13T10:00`. */
  readonly local: string;
}

/** The zone's clock time at the start by the present zone data, for a time that is agreed now. */
export function agreedTimeAt(zone: string, start: Instant): AgreedTime {
  return { zone, local: `${localDateAt(zone, start)}T${wallTimeAt(zone, start)}` };
}

/**
 * The start at which clocks show the agreed time by the present zone data. The first of two; for a time
 * that a change of clocks skips, the next minute that exists.
 */
export function startOfAgreedTime(zone: Zone, local: string): Instant {
  return resolve(zone, local).instant;
}

/**
 * The start at which clocks in another zone show the agreed time, or the clock time of the start in `from`.
 * @param agreed the agreed clock time (`2027-01-13T10:00`); undefined if clocks show it
 */
export function sameClockStart(
  start: Instant,
  agreed: string | undefined,
  from: Zone,
  to: Zone,
): Instant {
  return agreed === undefined ? sameClockTime(start, from, to) : startOfAgreedTime(to, agreed);
}

function resolve(zone: Zone, local: string) {
  return resolveWallTime(zone, local.slice(0, 10), parseWallTime(local.slice(11)));
}

/** Whether clocks show the agreed time at the start, by the present zone data. */
export function fitsAgreedTime(start: Instant, agreed: AgreedTime): boolean {
  const { isSkipped, instant } = resolve(agreed.zone, agreed.local);
  // Faster than the second comparison, which also knows the later of two times on the same clock.
  if (!isSkipped && instant === start - (start % MINUTE_MS)) return true;
  return agreedTimeAt(agreed.zone, start).local === agreed.local;
}
