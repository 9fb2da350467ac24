import currencies from 'country-to-currency';

/** The currency of an artist whose country is not known. */
const DEFAULT_CURRENCY = 'USD';

const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = currencies;

/** The codes of the countries and territories of ISO 3166-1, such as `DE`. */
export function listCountries(): string[] {
  return Object.keys(currencies).filter(isCountry);
}

/** Whether it is the code of a country. Withdrawn codes have no name in the locale data, or another's. */
export function isCountry(code: string): boolean {
  if (!Object.hasOwn(CURRENCY_OF_COUNTRY, code)) return false;
  if (new Intl.Locale(`und-${code}`).region !== code) return false;
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) !== code;
}

/** The codes of all currencies that a country uses, in their order (ISO 4217). */
export function listCurrencies(): string[] {
  return [...new Set(Object.values(currencies))].toSorted();
}

/** Such as `EUR` for `DE`; that of the United States for an unknown or no country. */
export function currencyOfCountry(country: string | null): string {
  return CURRENCY_OF_COUNTRY[country ?? ''] ?? DEFAULT_CURRENCY;
}

/** Built at the first use: it takes some milliseconds. */
let countriesByZone: ReadonlyMap<string, string> | undefined;

/**
 * The country of an IANA time zone, such as `DE` for `Europe/Berlin`; null for a zone of no country,
 * such as `UTC`.
 */
export function countryOfZone(zone: string): string | null {
  countriesByZone ??= new Map(
    listCountries().flatMap((country) =>
      zonesOfCountry(country).map((one) => [one, country] as const),
    ),
  );
  return countriesByZone.get(zone) ?? countriesByZone.get(canonicalZone(zone)) ?? null;
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

/** The name that the platform uses for the zone: `Asia/Calcutta` for `Asia/Kolkata`, or the reverse. */
function canonicalZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
