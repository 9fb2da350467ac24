/** Sums of money. Amounts are whole numbers of the currency's minor unit: cents, yen, fils. */

import { remembered } from '../remembered.ts';

export interface Money {
  /** In minor units of the currency. */
  readonly amount: number;
  /** ISO 4217, such as `USD`. */
  readonly currency: string;
}

/** The largest amount that anyone can enter, in minor units: a billion rupiah. A JavaScript number has it exactly. */
export const MAX_AMOUNT = 100_000_000_000;

/**
 * The currencies whose minor unit is not a hundredth (ISO 4217). `Intl` does not say it: its data are about how
 * people write an amount, and differ between browsers and the server; stored amounts must not.
 */
const DIGITS: readonly (readonly [digits: number, currencies: RegExp])[] = [
  [0, /^(BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|X[AOP]F)$/],
  [3, /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/],
  [4, /^(CLF|UYW)$/],
];

/** How many digits an amount in a currency (ISO 4217) has after its decimal separator; 2 if it is unknown. */
export function currencyDigits(currency: string): number {
  return DIGITS.find(([, currencies]) => currencies.test(currency))?.[0] ?? 2;
}

// Cached, because creating a format takes longer than using it.
const formats = new Map<string, Intl.NumberFormat>();

/** A format of numbers, cached. @param locale a BCP 47 tag, such as `de-DE` */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return remembered(
    formats,
    JSON.stringify([locale, options]),
    () => new Intl.NumberFormat(locale, options),
  );
}

/** @param isWhole whether all amounts are whole units: they are written without decimals */
function currencyFormat(currency: string, locale: string, isWhole: boolean): Intl.NumberFormat {
  // `Intl` raises its maximum to this minimum, and writes no zeros beyond the minimum.
  const minimumFractionDigits = isWhole ? 0 : currencyDigits(currency);
  return numberFormat(locale, { style: 'currency', currency, minimumFractionDigits });
}

/** An amount as people write it, such as `$150` or `150,50 €`. @param locale a BCP 47 tag, such as `de-DE` */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const unit = 10 ** currencyDigits(currency);
  return currencyFormat(currency, locale, amount % unit === 0).format(amount / unit);
}

/** Amounts in minor units as a range, such as `$150 – $200`; some locales write the currency once, others twice. */
export function formatMoneyRange(
  from: number,
  to: number,
  currency: string,
  locale: string,
): string {
  const unit = 10 ** currencyDigits(currency);
  const format = currencyFormat(currency, locale, from % unit === 0 && to % unit === 0);
  return format.formatRange(from / unit, to / unit);
}
