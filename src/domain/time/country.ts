import currencies from 'country-to-currency';
import { zonesOfCountry } from './country_zones.ts';

/** The currency of an artist whose country is not known. */
const DEFAULT_CURRENCY = 'USD';
const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP'];

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

/**
 * The codes of all currencies that a country uses (ISO 4217): first the likely ones, which are those of
 * these countries and the most common, then the others in their order.
 */
export function listCurrencies(countries: readonly (string | null)[] = []): string[] {
  const likely = [...countries.map(currencyOfCountry), ...COMMON_CURRENCIES];
  return [...new Set([...likely, ...Object.values(currencies).toSorted()])];
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
  return countriesByZone.get(zone) ?? countriesByZone.get(platformZoneName(zone)) ?? null;
}

/** The name that the platform uses for the zone: `Asia/Calcutta` for `Asia/Kolkata`, or the reverse. */
function platformZoneName(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
