/**
 * The locale that a browser or a header names, as a tag that `Intl` accepts; `en-US` for any other text, such as
 * `C` or `POSIX` of some systems.
 */
export function toKnownLocale(named: string): string {
  // Systems may name a locale like `de_DE.UTF-8@euro`.
  const locale = named.replace(/[.@].*/, '').replaceAll('_', '-');
  try {
    // `Intl` accepts `posix` as a language, but codes of languages have at most three letters.
    if (new Intl.Locale(locale).language.length < 4) return locale;
  } catch {
    // Not a tag.
  }
  return 'en-US';
}

/** Facts about a locale: by a method in the present standard, by a property in older browsers; else undefined. */
export function localeInfo(locale: Intl.Locale, method: string, property: string): unknown {
  const getInfo: unknown = Reflect.get(locale, method);
  return typeof getInfo === 'function' ? getInfo.call(locale) : Reflect.get(locale, property);
}
