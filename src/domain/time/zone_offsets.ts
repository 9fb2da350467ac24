/**
 * A studio's time zone for browsers, as the API sends it. The zone data of a browser may be older than
 * the server's, or lack the zone, so browsers compute a studio's times from these offsets alone.
 */
import { type LocalDate, midnightUtc } from './calendar_date.ts';
import { DAY_MS, type Instant, MINUTE_MS } from './time.ts';

/** The UTC offset from an instant (RFC 3339), included, to the next one. */
export interface ZoneOffset {
  readonly from: string;
  readonly minutes: number;
}

/**
 * An IANA name, and its offsets, the earliest first. They are known from the first `from` to the last, both
 * included: the last entry only says where they end.
 */
export interface StudioZone {
  readonly time_zone: string;
  readonly offsets: readonly ZoneOffset[];
}

/** An IANA name by itself is for the server, for `UTC`, and for a zone that the platform reported. */
export type Zone = string | StudioZone;

/** A studio's zone with the offsets of an appointment, or of another answer with offsets for its own instants. */
export function zoneOf(
  { time_zone }: StudioZone,
  { offsets }: Pick<StudioZone, 'offsets'>,
): StudioZone {
  return { time_zone, offsets };
}

/**
 * The zone in which an artist edits the start of an appointment: the studio's of today. Where its offsets are not
 * known, as in the far past, those that came with the appointment count.
 */
export function zoneToEdit(
  studio: StudioZone,
  appointment: Pick<StudioZone, 'offsets'>,
  start: Instant,
): StudioZone {
  return offsetMinutesAt(studio, start) === null ? zoneOf(studio, appointment) : studio;
}

/** The UTC offset at an instant, in minutes; null where it is not known. */
export function offsetMinutesAt({ offsets }: StudioZone, instant: Instant): number | null {
  // False for an empty list, in which nothing is found below: no number is greater than NaN.
  if (instant > Date.parse(offsets.at(-1)?.from ?? '')) return null;
  return offsets.findLast(({ from }) => Date.parse(from) <= instant)?.minutes ?? null;
}

/** Whether the offsets of a date are known from its first minute to its last. */
export function coversDate({ offsets }: StudioZone, date: LocalDate): boolean {
  const [first, last] = [offsets[0], offsets.at(-1)];
  if (!first || !last) return false;
  const midnight = ({ minutes }: ZoneOffset) => midnightUtc(date) - minutes * MINUTE_MS;
  return (
    midnight(first) >= Date.parse(first.from) && midnight(last) + DAY_MS <= Date.parse(last.from)
  );
}

/** The instant at which clocks in UTC show the studio's clock time; `instant` itself if its offset is unknown. */
export function shiftToUtc(zone: StudioZone, instant: Instant): Instant {
  return instant + (offsetMinutesAt(zone, instant) ?? 0) * MINUTE_MS;
}
