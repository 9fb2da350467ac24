import type { Design } from '#contract/design.ts';
import { type DesignColor, isBookable } from '#domain/studio/design.ts';

/** How a design is tattooed, in words for clients. */
export const COLOR_TEXTS: Record<DesignColor, string> = { color: 'In color', black: 'Black' };

/** How often a limited design is tattooed, such as `2 of 5 left`; null without a limit, and when none is left. */
export function describeEditions(editions: number | null, left: number | null): string | null {
  if (editions === null || left === null || left === 0) return null;
  return editions === 1 ? 'Tattooed only once' : `${left} of ${editions} left`;
}

/** The price that clients see; null for a price on request of a claimed design, which nobody can request. */
export function shownPrice(design: Design): Design['price'] {
  return design.price?.kind === 'ask' && !isBookable(design) ? null : design.price;
}
