// Prices and sizes as the United States write them. The page needs VisitorUnits: its script reads `value` (one amount
// or side, or two with a space between), and writes it as the visitor's language does.
import { html } from 'hono/html';
import type { Design } from '#contract/design.ts';
import { toDecimal } from '#domain/money/decimal_amount.ts';
import { formatPrice, type Price } from '#domain/money/price.ts';
import { formatDesignSize } from '#domain/studio/design.ts';
import { shownPrice } from './design_facts.ts';

export function priceHtml(price: Price) {
  const { kind, amount, amount_to: to, currency } = price;
  const text = formatPrice(price, 'en-US');
  // Of these prices, `formatPrice` makes 'Price on request' and 'Free'.
  if (amount === null || (kind === 'fixed' && amount === 0)) return html`${text}`;
  const value = [amount, to]
    .filter((one) => one !== null)
    .map((one) => toDecimal({ amount: one, currency }))
    .join(' ');
  const before = kind === 'from' ? 'From ' : '';
  return html`${before}<data value="${value}" data-unit="${currency}">${text.slice(before.length)}</data>`;
}

/** The size of a design in inches; VisitorUnits writes centimeters for most visitors. */
export function sizeHtml(size: Pick<Design, 'width_mm' | 'height_mm'>) {
  const sides = [size.width_mm, size.height_mm].filter((side) => side !== null);
  return html`<data value="${sides.join(' ')}" data-unit="mm">${formatDesignSize(size, 'en-US')}</data>`;
}

/** The price and the size of a design; empty if the artist gave neither. */
export function priceAndSizeHtml(design: Design, className: string) {
  const price = shownPrice(design);
  const hasSize = design.width_mm !== null || design.height_mm !== null;
  if (!price && !hasSize) return html``;
  return html`<p class="flex flex-wrap gap-x-3 wrap-anywhere ${className}">${[
    price && html`<span class="min-w-0 font-semibold">${priceHtml(price)}</span>`,
    hasSize && html`<span class="min-w-0 text-muted">${sizeHtml(design)}</span>`,
  ]}</p>`;
}
