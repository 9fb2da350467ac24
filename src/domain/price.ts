import { formatMoney, formatMoneyRange, type Money } from './money.ts';

/** `ask`: the artist names a price when they know more. */
export const PRICE_KINDS = ['fixed', 'from', 'range', 'ask'] as const;

/** What a service or a design costs. Amounts are in minor units of the currency (ISO 4217). */
export type Price =
  | {
      readonly kind: 'fixed' | 'from';
      readonly amount: number;
      readonly amount_to: null;
      readonly currency: string;
    }
  | {
      readonly kind: 'range';
      readonly amount: number;
      /** More than `amount`. */
      readonly amount_to: number;
      readonly currency: string;
    }
  | {
      readonly kind: 'ask';
      readonly amount: null;
      readonly amount_to: null;
      readonly currency: string;
    };

/** Such as `$150`, `From $150`, `$150 – $200`, `Free`, `Price on request`. @param locale a BCP 47 tag */
export function formatPrice(price: Price, locale: string): string {
  if (price.kind === 'ask') return 'Price on request';
  const { amount, currency } = price;
  if (price.kind === 'range') return formatMoneyRange(amount, price.amount_to, currency, locale);
  if (price.kind === 'from') return `From ${formatMoney({ amount, currency }, locale)}`;
  return amount === 0 ? 'Free' : formatMoney({ amount, currency }, locale);
}

/**
 * The price of an appointment at the moment of booking: the design's own, or else the service's. A design
 * whose price is on request takes that of the service, and a service that is free stays free. Later
 * changes of either do not change it.
 */
export function priceOfBooking(
  design: { readonly price: Price | null } | null | undefined,
  service: { readonly price: Price | null } | null | undefined,
): Price | null {
  const own = design?.price ?? null;
  const ofService = service?.price ?? null;
  return own === null || (ofService && (own.kind === 'ask' || isFree(ofService))) ? ofService : own;
}

function isFree({ kind, amount }: Price): boolean {
  return kind === 'fixed' && amount === 0;
}

/** The deposit that an artist expects for an appointment of this price: none for what is free. */
export function depositOfBooking(price: Price | null, deposit: Money | null): Money | null {
  return price && isFree(price) ? null : deposit;
}
