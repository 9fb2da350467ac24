import type { Money } from '../money/money.ts';
import type { Price } from '../money/price.ts';

/**
 * The price of an appointment at the moment of booking: the design's own, or else the service's. A design
 * whose price is on request takes that of the service. Later changes of either do not change it.
 */
export function priceOfBooking(
  design: { readonly price: Price | null } | null | undefined,
  service: { readonly price: Price | null } | null | undefined,
): Price | null {
  const own = design?.price ?? null;
  if (own !== null && own.kind !== 'ask') return own;
  return service?.price ?? own;
}

/** The deposit that an artist expects for an appointment of this price: none for a free one. */
export function depositOfBooking(price: Price | null, deposit: Money | null): Money | null {
  return price?.kind === 'fixed' && price.amount === 0 ? null : deposit;
}
