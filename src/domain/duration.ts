const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Such as '1 h 30 min'. `minutes` is a whole number, from 0. */
export function formatShortDuration(minutes: number): string {
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  const parts = [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Such as '45 minutes', '1 hour 30 minutes', '2 days'. `minutes` is a whole number, from 0. */
export function formatDuration(minutes: number): string {
  if (minutes === 0) return '0 minutes';
  if (minutes % WEEK_MINUTES === 0) return pluralize(minutes / WEEK_MINUTES, 'week');
  if (minutes % DAY_MINUTES === 0) return pluralize(minutes / DAY_MINUTES, 'day');
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  return [hours > 0 ? pluralize(hours, 'hour') : '', rest > 0 ? pluralize(rest, 'minute') : '']
    .join(' ')
    .trim();
}

function pluralize(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
