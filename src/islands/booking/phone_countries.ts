// Loaded when a client asks for another country: the rules of all phone numbers are 44 KB.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { toPlainText } from '#domain/text/typed_text.ts';

export interface PhoneCountry {
  readonly code: CountryCode;
  /** In English, such as `Germany`. */
  readonly name: string;
  /** Such as `+49`. */
  readonly callingCode: string;
}

/** All countries by name; first comes that of `language`, a language tag (BCP 47) such as `de-AT`. */
export function listCountries(language: string): PhoneCountry[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const countries = getCountries()
    .map((code) => toCountry(code, names))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const home = new Intl.Locale(language).region;
  const isHome = ({ code }: PhoneCountry): boolean => code === home;
  return [...countries.filter(isHome), ...countries.filter((country) => !isHome(country))];
}

function toCountry(code: CountryCode, names: Intl.DisplayNames): PhoneCountry {
  return {
    code,
    name: names.of(code) ?? code,
    callingCode: `+${getCountryCallingCode(code)}`,
  };
}

/** The country of a number that begins with its country code; null when that is unknown. */
export function countryOf(value: string): CountryCode | null {
  return parsePhoneNumberFromString(value)?.country ?? null;
}

/** Adds the country code to a number typed as in that country: `+49 170 1234567`. Null if it is no number there. */
export function toInternational(typed: string, country: CountryCode): string | null {
  const options = { defaultCountry: country, extract: false };
  const number = parsePhoneNumberFromString(toPlainText(typed), options);
  return number?.isValid() ? number.formatInternational() : null;
}

/**
 * The form's value for a text typed as in a country. A wrong number stays as it is typed, after the country
 * code: without the code, it could be a number in the US.
 */
export function toPhoneValue(typed: string, { code, callingCode }: PhoneCountry): string {
  // After a plus or 00, people type the country code.
  const bare = toPlainText(typed).replace(/^00\s*(?=[1-9])/, '+');
  const hasCode = bare === '' || bare.startsWith('+');
  return toInternational(bare, code) ?? (hasCode ? bare : `${callingCode} ${bare}`);
}

/** Whether a value with a country code is a number of that country; true for one without a code. */
export function keepsRules(value: string): boolean {
  // The country code decides, not `US`.
  return !value.trimStart().startsWith('+') || toInternational(value, 'US') !== null;
}

/** A number as it is dialled within its country; other texts stay as they are. */
export function toNational(value: string): string {
  return parsePhoneNumberFromString(value)?.formatNational() ?? value;
}
