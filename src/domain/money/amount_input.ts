/** Amounts of money as people type them into a field. Pages without such a field do not load this. */

import { toPlainText } from '../text/typed_text.ts';
import { currencyDigits, MAX_AMOUNT, type Money, numberFormat } from './money.ts';

/** Spaces, apostrophes and the Arabic comma between thousands. */
const IGNORED = /[\s'’٬]/gu;

/** A space or an apostrophe that is not between thousands, as in `12 50`: 12.50 or 1250? */
const UNCLEAR_GROUP = /\d[\s'’٬]+(?!\d{3}(?!\d))\d/u;

/** An amount in minor units, or why the text is not an amount. */
type ParsedAmount =
  | { readonly amount: number; readonly error?: undefined }
  | { readonly amount?: undefined; readonly error: string };

/**
 * Parses an amount as the locale writes it, such as `1,234.50` or `1.234,50`; also with the digits of
 * any script. A comma or a point is decimal if as many digits follow as the currency has decimals, unless the
 * locale reads them as thousands: in the United States, `1234,50` is 1,234.50. Where the comma is decimal,
 * `1.200` is thousands (elsewhere `1,200`), also if the locale groups with spaces, unless the currency has three
 * decimals. A text that could mean two amounts, such as `1,5` in the United States, is refused.
 * @returns the amount in minor units of the currency
 */
export function parseAmount(typed: string, currency: string, locale: string): ParsedAmount {
  const digits = currencyDigits(currency);
  const { decimal, group } = separatorsOf(locale);
  const withSpaces = withoutSign(toPlainText(typed), currency, locale);
  const text = withSpaces.replace(IGNORED, '');
  if (text === '') return { error: 'Amount is required' };
  const otherSign = decimal === ',' ? '.' : ',';
  // With three decimals, `1.200` may mean 1.2.
  const groupSigns = digits < 3 ? [group, otherSign] : [group];
  // Such as 1,234 or 1,23,456 (as in India), to the end or to the decimals.
  const usedGroup = groupSigns.find((sign) =>
    new RegExp(`^[1-9]\\d{0,2}(\\${sign}\\d{2,3})*\\${sign}\\d{3}(\\${decimal}|$)`).test(text),
  );
  const ungrouped = usedGroup ? text.replaceAll(usedGroup, '') : withDecimalPoint(text, digits);
  // A keypad of a phone may have the point alone, also where the comma is the decimal separator.
  const [whole = '', fraction = '', ...rest] = ungrouped.replace(decimal, '.').split('.');
  if (
    UNCLEAR_GROUP.test(withSpaces) ||
    // `toPlainText` makes 102 of 10².
    /\p{No}/u.test(typed) ||
    rest.length > 0 ||
    !/^\d+$/.test(whole) ||
    !/^\d*$/.test(fraction)
  )
    return { error: `Write the amount like ${exampleAmount(currency, locale)}` };
  if (fraction.length > digits && digits === 0) return { error: `${currency} has no decimals` };
  if (fraction.length > digits) return { error: `At most ${digits} digits after the separator` };
  const amount = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return amount <= MAX_AMOUNT ? { amount } : { error: 'This amount is too large' };
}

/** If a comma or a point stands before the last `digits` digits: with a decimal point, without other separators. */
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

/** `1,234.50`, or `1,234` of a currency without decimals, as the locale writes it. */
function exampleAmount(currency: string, locale: string): string {
  const unit = 10 ** currencyDigits(currency);
  return toTypedAmount({ amount: Math.floor(1234.5 * unit), currency }, locale);
}

/** The text without the sign or the code of this currency at its start or end. */
function withoutSign(text: string, currency: string, locale: string): string {
  const signs = [currency, ...signsOf(currency, locale), ...signsOf(currency, 'en')];
  // The longest first: `US$` before `$`.
  for (const sign of signs.toSorted((one, other) => other.length - one.length)) {
    if (text.startsWith(sign)) return text.slice(sign.length);
    if (text.endsWith(sign)) return text.slice(0, -sign.length);
  }
  return text;
}

/** How a locale writes a currency, such as `US$` and `$`; nothing for a text that is not a code. */
function signsOf(currency: string, locale: string): string[] {
  // `Intl` throws for any other text, such as '' of a select that has no value yet.
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
  const find = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: find('decimal') ?? '.', group: find('group') ?? ',' };
}
