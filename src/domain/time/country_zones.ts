/** The zones of a country, as the platform names them; none if the platform does not know. */
export function zonesOfCountry(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country || 'ZZ'}`);
  // A method in the present standard, a property in older browsers.
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof method === 'function' ? method.call(locale) : Reflect.get(locale, 'timeZones');
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
}

/** The country of a language tag: of `de` Germany, of `pt-BR` Brazil; '' if it has none. */
export function countryOfLanguage(locale: string): string {
  return new Intl.Locale(locale).maximize().region ?? '';
}
