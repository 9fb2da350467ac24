const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** A length of time for people, such as `1 h 30 min`. `minutes` is a whole number, from 0. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  const parts = [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Minutes as people say them: '45 minutes', '1 hour 30 minutes', '2 days'. */
export function durationWords(minutes: number): string {
  if (minutes === 0) return '0 minutes';
  if (minutes % WEEK === 0) return count(minutes / WEEK, 'week');
  if (minutes % DAY === 0) return count(minutes / DAY, 'day');
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return [hours > 0 ? count(hours, 'hour') : '', rest > 0 ? count(rest, 'minute') : '']
    .join(' ')
    .trim();
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
