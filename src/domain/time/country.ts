/** Countries by their codes (ISO 3166-1, such as `DE`), with their currencies and time zones. */
import currencies from 'country-to-currency';
import { zonesOfCountry } from './country_zones.ts';

/** The currency of an artist whose country is not known. */
const DEFAULT_CURRENCY = 'USD';
const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP'];

/** The package also has codes that ISO 3166-1 has withdrawn. */
const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = currencies;

/** The codes of all countries and territories. */
export function listCountries(): string[] {
  return Object.keys(CURRENCY_OF_COUNTRY).filter(isCountry);
}

/** Whether a text is the code of a country or territory, in capital letters. */
export function isCountry(code: string): boolean {
  if (!Object.hasOwn(CURRENCY_OF_COUNTRY, code)) return false;
  // `Intl` replaces some withdrawn codes by the present one, and has no name for others.
  if (new Intl.Locale(`und-${code}`).region !== code) return false;
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) !== code;
}

/**
 * The codes (ISO 4217) of the currencies of all countries: first those of the given countries, then the
 * most common, then the others by their codes. A `null` stands for an unknown country.
 */
export function listCurrencies(countries: readonly (string | null)[] = []): string[] {
  const likely = [...countries.map(currencyOfCountry), ...COMMON_CURRENCIES];
  return [...new Set([...likely, ...Object.values(CURRENCY_OF_COUNTRY).toSorted()])];
}

/** Such as `EUR` for `DE`; `USD` for an unknown country or none. */
export function currencyOfCountry(country: string | null): string {
  return CURRENCY_OF_COUNTRY[country ?? ''] ?? DEFAULT_CURRENCY;
}

/** Built at the first use: it takes some milliseconds. */
let countriesByZone: ReadonlyMap<string, string> | undefined;

/** The country of an IANA time zone, such as `DE` for `Europe/Berlin`; null for a zone of none, such as `UTC`. */
export function countryOfZone(zone: string): string | null {
  countriesByZone ??= new Map(
    listCountries().flatMap((country) =>
      zonesOfCountry(country).map((zoneName) => [zoneName, country] as const),
    ),
  );
  return countriesByZone.get(zone) ?? countriesByZone.get(platformZoneName(zone)) ?? null;
}

/** The name that the platform uses for the zone: `Asia/Calcutta` for `Asia/Kolkata`, or the reverse. */
function platformZoneName(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
