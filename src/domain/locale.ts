/**
 * The locale that a browser or a header names, as a tag that `Intl` knows; else that of the United States,
 * as for `C`, `POSIX` or `en_US@posix` of some systems.
 */
export function toKnownLocale(locale: string): string {
  const tag = locale.replace(/@.*/, '');
  try {
    // `Intl` takes `posix` for a language, but those have at most three letters.
    if (new Intl.Locale(tag).language.length < 4) return tag;
  } catch {}
  return 'en-US';
}
