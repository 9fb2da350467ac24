import { localeInfo } from '../locale.ts';

/**
 * The IANA time zones of a country, as the platform names them; none if the platform does not know them.
 * @param country its code (ISO 3166-1), or '' for none
 */
export function zonesOfCountry(country: string): readonly string[] {
  // `ZZ` is the code of an unknown country.
  const locale = new Intl.Locale(`und-${country || 'ZZ'}`);
  const zones = localeInfo(locale, 'getTimeZones', 'timeZones');
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
}

/** The country's code of a language tag: `DE` of `de`, `BR` of `pt-BR`; '' if it has none. */
export function countryOfLanguage(locale: string): string {
  return new Intl.Locale(locale).maximize().region ?? '';
}
