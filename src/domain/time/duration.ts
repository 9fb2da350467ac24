import { MINUTE_MS, SECOND_MS } from './time.ts';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Such as '1 h 30 min'. `minutes` is a whole number, from 0. */
export function formatShortDuration(minutes: number): string {
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Such as '45 minutes', '1 hour 30 minutes', '2 days'. `minutes` is a whole number, from 0. */
export function formatDuration(minutes: number): string {
  if (minutes === 0) return '0 minutes';
  if (minutes % WEEK_MINUTES === 0) return pluralize(minutes / WEEK_MINUTES, 'week');
  if (minutes % DAY_MINUTES === 0) return pluralize(minutes / DAY_MINUTES, 'day');
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  if (hours === 0) return pluralize(rest, 'minute');
  const inHours = pluralize(hours, 'hour');
  return rest === 0 ? inHours : `${inHours} ${pluralize(rest, 'minute')}`;
}

/** Below this number of minutes, the text also has seconds. */
const FINAL_MINUTES = 5;

/**
 * The time left until a deadline, such as '3 days', '47 hours', '29 minutes', '4 min 9 s'; whole units,
 * rounded down; days from two days on. A passed deadline has '0 s'.
 * @param left in milliseconds
 */
export function formatTimeLeft(left: number): string {
  const minutes = Math.max(0, Math.floor(left / MINUTE_MS));
  if (minutes >= 2 * DAY_MINUTES) return pluralize(Math.floor(minutes / DAY_MINUTES), 'day');
  if (minutes >= HOUR_MINUTES) return pluralize(Math.floor(minutes / HOUR_MINUTES), 'hour');
  if (minutes >= FINAL_MINUTES) return pluralize(minutes, 'minute');
  const seconds = Math.max(0, Math.floor((left % MINUTE_MS) / SECOND_MS));
  return minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

/** Such as '1 hour' or '2 hours'. */
export function pluralize(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
