/** Amounts of money as people type them into a field. Pages without such a field do not load this. */

import { toPlainText } from '../text/typed_text.ts';
import { currencyDigits, MAX_AMOUNT, type Money, numberFormat } from './money.ts';

/** Spaces, apostrophes and the Arabic comma between thousands. */
const IGNORED = /[\s'’٬]/gu;

/** A space or an apostrophe that is not between thousands, as in `12 50`: 12.50 or 1250? */
const UNCLEAR_GROUP = /\d[\s'’٬]+(?!\d{3}(?!\d))\d/u;

/** An amount in minor units, or why the text is none. */
type ParsedAmount =
  | { readonly amount: number; readonly error?: undefined }
  | { readonly amount?: undefined; readonly error: string };

/**
 * Parses an amount as the locale writes it, such as `1,234.50` or `1.234,50`; also with the digits of
 * any script. Either separator is decimal before exactly the decimals of the currency, unless the locale
 * reads thousands: `1234,50` is the same in the United States. Where the comma is decimal, `1.200` is
 * thousands (elsewhere `1,200`), also if the locale groups with spaces, unless the currency has three
 * decimals. A text that could mean two amounts, such as `1,5` in the United States, is refused.
 * @returns the amount in minor units of the currency
 */
export function parseAmount(typed: string, currency: string, locale: string): ParsedAmount {
  const digits = currencyDigits(currency);
  const { decimal, group } = separatorsOf(locale);
  const latin = withoutSign(toPlainText(typed), currency, locale);
  const text = latin.replace(IGNORED, '');
  if (text === '') return { error: 'Amount is required' };
  const otherSign = decimal === ',' ? '.' : ',';
  // With three decimals, `1.200` may mean 1.2.
  const groups = digits < 3 ? [group, otherSign] : [group];
  const used = groups.find((sign) =>
    new RegExp(`^[1-9]\\d{0,2}(\\${sign}\\d{2,3})*\\${sign}\\d{3}(\\${decimal}|$)`).test(text),
  );
  const plain = used ? text.replaceAll(used, '') : withDecimalPoint(text, digits);
  // A keypad of a phone may have the point alone, also where the comma is the decimal separator.
  const [whole = '', fraction = '', ...rest] = plain.replace(decimal, '.').split('.');
  if (
    UNCLEAR_GROUP.test(latin) ||
    // 10² would be 102.
    /\p{No}/u.test(typed) ||
    rest.length > 0 ||
    !/^\d+$/.test(whole) ||
    !/^\d*$/.test(fraction)
  )
    return {
      error: `Write the amount like ${toTypedAmount({ amount: example(digits), currency }, locale)}`,
    };
  if (fraction.length > digits)
    return {
      error:
        digits === 0
          ? `${currency} has no decimals`
          : `At most ${digits} digits after the separator`,
    };
  const amount = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return amount <= MAX_AMOUNT ? { amount } : { error: 'This amount is too large' };
}

/** Replaces the separators of other locales, if exactly `digits` digits follow a comma or point. */
function withDecimalPoint(text: string, digits: number): string {
  const at = text.length - digits - 1;
  const isDecimal = digits > 0 && (text[at] === ',' || text[at] === '.');
  const whole = text.slice(0, at);
  const group = text[at] === ',' ? '\\.' : ',';
  return isDecimal && new RegExp(`^(\\d+|\\d{1,3}(${group}\\d{3})+)$`).test(whole)
    ? `${whole.replace(/[,.]/g, '')}.${text.slice(at + 1)}`
    : text;
}

/** The amount as a field shows it, so that `parseAmount` reads the same: `1,234.50` without currency. */
export function toTypedAmount({ amount, currency }: Money, locale: string): string {
  const digits = currencyDigits(currency);
  const unit = 10 ** digits;
  const fractionDigits = amount % unit === 0 ? 0 : digits;
  return numberFormat(locale, {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(amount / unit);
}

/** 1,234 whole units and a half, if there are halves. */
function example(digits: number): number {
  return 1234 * 10 ** digits + (digits === 0 ? 0 : 5 * 10 ** (digits - 1));
}

/** The text without the sign or the code of this currency at its start or end. */
function withoutSign(text: string, currency: string, locale: string): string {
  const signs = [currency, ...[locale, 'en'].flatMap((one) => signsOf(currency, one))];
  for (const sign of signs.toSorted((one, other) => other.length - one.length)) {
    if (text.startsWith(sign)) return text.slice(sign.length);
    if (text.endsWith(sign)) return text.slice(0, -sign.length);
  }
  return text;
}

/** How a locale writes a currency, such as `US$` and `$`; nothing for other texts than codes. */
function signsOf(currency: string, locale: string): string[] {
  // `Intl` refuses it. A select that is being filled may have no value yet.
  if (!/^[A-Z]{3}$/.test(currency)) return [];
  return (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    numberFormat(locale, { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => toPlainText(value)),
  );
}

interface Separators {
  readonly decimal: string;
  /** Between thousands; some locales have one of the `IGNORED` signs. */
  readonly group: string;
}

function separatorsOf(locale: string): Separators {
  const parts = numberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.5);
  const find = (type: string, other: string) =>
    parts.find((part) => part.type === type)?.value ?? other;
  return { decimal: find('decimal', '.'), group: find('group', ',') };
}
