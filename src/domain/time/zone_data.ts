/**
 * Time zone data of the server. In browsers `zone_data_in_browsers.ts` takes the place of this
 * file (package.json, `imports`), so import it as `#domain/time/zone_data.ts`.
 */
import { formatInTimeZone } from 'date-fns-tz/formatInTimeZone';
import { currentZoneName } from './current_zone_name.ts';
import { type Instant, MINUTE_MS, parseWallTime } from './time.ts';
import { isTimeZone } from './time_zone.ts';

/** The UTC offset at an instant, in milliseconds; without the seconds that it had before 1972. */
export function zoneOffsetAt(zone: string, instant: Instant): number {
  // Not `getTimezoneOffset`: it takes a time of the machine's zone, not an instant. `xxx` is such as `+05:30`.
  const offset = formatInTimeZone(instant, zone, 'xxx');
  const size = parseWallTime(offset.slice(1)) * MINUTE_MS;
  return offset.startsWith('-') ? -size : size;
}

/** Today's name of a zone, in its usual spelling: `America/New_York` for `US/eastern`; null for an unknown zone. */
export function canonicalZone(name: string): string | null {
  if (!isTimeZone(name)) return null;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  return currentZoneName(timeZone);
}

/** Whether two names are of one zone, such as `Asia/Calcutta` and `Asia/Kolkata`. */
export function isSameZone(one: string, other: string): boolean {
  // An old platform may not know the present name of a zone, but the former one, which leads to it.
  return one === other || (canonicalZone(one) ?? one) === canonicalZone(other);
}
