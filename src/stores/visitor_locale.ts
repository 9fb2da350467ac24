import { toKnownLocale } from '#domain/locale.ts';

/** The locale of the visitor's browser, a BCP 47 tag that `Intl` knows. */
export function visitorLocale(): string {
  return toKnownLocale(navigator.language);
}
