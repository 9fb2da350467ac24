// Kept separate from `time_zone.ts`, which every page loads.
import { remembered } from '../remembered.ts';
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
  return remembered(descriptions, zone, () => describe(zone));
}

/** By zone, because making an Intl formatter takes longer than writing a whole mail. */
const descriptions = new Map<string, string>();

function describe(zone: string): string {
  const city = timeZoneCity(zone);
  const name = genericName(zone);
  if (name === null) return city;
  // These names have no city: `UTC`, `EST5EDT`, `Etc/GMT+5` (which is five hours behind UTC).
  if (!zone.includes('/') || zone.startsWith('Etc/')) return name;
  return toLetters(name).includes(toLetters(city)) ? name : `${name} (${city})`;
}

/** A zone may have another name in the past: take its name after all changes that are known today. */
const NAMED_AT = Date.UTC(2030, 0, 1);

/**
 * In these groups of zones, "Standard" in a zone's name says that its clocks never change: Mountain Standard
 * Time is that of Phoenix, and Mountain Time that of Denver.
 */
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
    // Only an offset, such as `GMT+03:00`.
    if (/\d/.test(name)) return zone.startsWith('Etc/') ? name : null;
    // Some names end in a place, as `Australian Eastern Time (Hobart)`.
    const short = name.replace(/ \(.*\)$/, '');
    return (SHARED_NAME.test(short) ? short : short.replace(' Standard Time', ' Time')) || null;
  } catch {
    return null;
  }
}
