/**
 * The locale that a browser or a header names, as a tag that `Intl` knows; else that of the United States,
 * as for `C` or `POSIX` of some systems.
 */
export function toKnownLocale(named: string): string {
  // Such as `de_DE.UTF-8@euro`.
  const locale = named.replace(/[.@].*/, '').replaceAll('_', '-');
  try {
    // `Intl` takes `posix` for a language, but those have at most three letters.
    if (new Intl.Locale(locale).language.length < 4) return locale;
  } catch {}
  return 'en-US';
}
