import { currencyDigits, type Money } from './money.ts';

/** An amount as a program reads it: `150.50`, `1500`, without a currency. */
export function toDecimal({ amount, currency }: Money): string {
  const digits = currencyDigits(currency);
  const text = String(amount).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
