/** Whether the platform knows the IANA time zone; offsets such as `+02:00` are not zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone of this machine; null where the platform names none (`Etc/Unknown`), or one in which it
 * cannot format times.
 */
export function deviceTimeZone(): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return timeZone !== 'Etc/Unknown' && isTimeZone(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}

/** The zones of a country, as the platform names them; none if the platform does not know. */
export function zonesOfCountry(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`);
  // A method in the present standard; a property in browsers before it.
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof method === 'function' ? method.call(locale) : Reflect.get(locale, 'timeZones');
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
}

/** The country of a language tag: of `de` Germany, of `pt-BR` Brazil; '' if it has none. */
export function countryOfLanguage(locale: string): string {
  return new Intl.Locale(locale).maximize().region ?? '';
}

/**
 * The city in a zone's name, such as `Los Angeles`, to tell two times in one line apart. Elsewhere
 * people read the IANA name, and beside it `describeTimeZone`.
 */
export function timeZoneCity(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

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

/** Zones of these names have neighbors of the same name that change their clocks twice a year. */
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

/** Without accents, spaces and signs, to compare `Réunion` and `Reunion`. */
function toLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
}
