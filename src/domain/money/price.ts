import { formatMoney, formatMoneyRange } from './money.ts';

/** `from`: at least this amount. `ask`: the artist names a price when they know more. */
export const PRICE_KINDS = ['fixed', 'from', 'range', 'ask'] as const;

/** The price of a service or a design. Amounts are in minor units of the currency (ISO 4217). */
export type Price = { readonly currency: string } & (
  | { readonly kind: 'fixed' | 'from'; readonly amount: number; readonly amount_to: null }
  // `amount_to` is more than `amount`.
  | { readonly kind: 'range'; readonly amount: number; readonly amount_to: number }
  | { readonly kind: 'ask'; readonly amount: null; readonly amount_to: null }
);

/** Such as `$150`, `From $150`, `$150 – $200`, `Free`, `Price on request`. @param locale a BCP 47 tag */
export function formatPrice(price: Price, locale: string): string {
  if (price.kind === 'ask') return 'Price on request';
  const { amount, currency } = price;
  if (price.kind === 'range') return formatMoneyRange(amount, price.amount_to, currency, locale);
  if (price.kind === 'from') return `From ${formatMoney({ amount, currency }, locale)}`;
  return amount === 0 ? 'Free' : formatMoney({ amount, currency }, locale);
}
