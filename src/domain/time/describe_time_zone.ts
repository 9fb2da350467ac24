// Kept separate from `time_zone.ts`, which every page loads.
import { toLetters } from '../text/letters.ts';
import { timeZoneCity } from './time_zone.ts';

/**
 * A zone as people say it, such as `Eastern Time (New York)` for `America/New_York`; only the city if
 * the platform has no other name. Never throws.
 *
 * The text depends on the platform's locale data (ICU), which differs between the server and
 * browsers. Do not render it on both sides: hydration would find another text.
 */
export function describeTimeZone(zone: string): string {
  const city = timeZoneCity(zone);
  const name = genericName(zone);
  if (name === null) return city;
  // Without a city, as `UTC` or `EST5EDT`; `Etc/GMT+5` has the sign that people do not expect.
  if (!zone.includes('/') || zone.startsWith('Etc/')) return name;
  return toLetters(name).includes(toLetters(city)) ? name : `${name} (${city})`;
}

/** After all changes of zones that are known now, because the names differ between past and present. */
const NAMED_AT = Date.UTC(2030, 0, 1);

/** Neighbors share these names: only "Standard" says that clocks do not change (Phoenix, not Denver). */
const SHARED_NAME = /Eastern|Central|Western|Mountain|Pacific|Atlantic/;

/** The English name for the whole year, such as `Mountain Time`; null for an unknown zone. */
function genericName(zone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longGeneric',
    }).formatToParts(NAMED_AT);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (name === 'GMT' || name === 'GMT+00:00') return 'Coordinated Universal Time';
    if (/\d/.test(name)) return zone.startsWith('Etc/') ? name : null;
    // Some names end in a place, as `Australian Eastern Time (Hobart)`.
    const short = name.replace(/ \(.*\)$/, '');
    return (SHARED_NAME.test(short) ? short : short.replace(' Standard Time', ' Time')) || null;
  } catch {
    return null;
  }
}
