// Apart from `format_time.ts`, which clients' pages load: the names of zones are not for them.
import { describeTimeZone } from './describe_time_zone.ts';
import {
  formatDayWithYear,
  formatTime,
  formatTimeRange,
  type InstantLike,
  toExclusiveEnd,
  zoneAbbreviation,
} from './format_time.ts';
import type { Zone } from './zone_offsets.ts';

/** 'Tuesday, December 1, 2026 at 10:00 AM EST, Eastern Time (New York)', for readers in any zone. */
export function formatTimeWithZone(when: InstantLike, zone: Zone): string {
  const time = `${formatTime(when, zone)} ${zoneAbbreviation(when, zone)}`;
  return `${formatDayWithYear(when, zone)} at ${time}${formatZone(zone)}`;
}

/** '10:00 AM - 12:00 PM EST, Eastern Time (New York)'. `end` is the last minute, included. */
export function formatTimeRangeWithZone(start: InstantLike, end: InstantLike, zone: Zone): string {
  const range = formatTimeRange(start, end, zone);
  const abbreviation = zoneAbbreviation(toExclusiveEnd(end), zone);
  // `formatTimeRange` has written the abbreviation already if the clocks change between start and end.
  return (range.endsWith(abbreviation) ? range : `${range} ${abbreviation}`) + formatZone(zone);
}

/** ', Eastern Time (New York)'; '' for UTC, whose abbreviation is its name. */
function formatZone(zone: Zone): string {
  const name = typeof zone === 'string' ? zone : zone.time_zone;
  return name === 'UTC' ? '' : `, ${describeTimeZone(name)}`;
}
