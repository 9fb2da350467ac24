import type { BodyLocation, TattooSize } from '../appointments/appointment_choices.ts';
import { numberFormat } from '../money/money.ts';
import { remembered } from '../remembered.ts';

/** How a design is tattooed. */
export const DESIGN_COLORS = ['color', 'black'] as const;
export type DesignColor = (typeof DESIGN_COLORS)[number];

/** The largest side of a design, in millimeters. */
export const MAX_DESIGN_MM = 2000;
/** The most often that a limited design may be tattooed. */
export const MAX_EDITIONS = 1000;

/** More designs than this get links that filter them. */
export const MAX_UNFILTERED_DESIGNS = 12;

/** The sides of a design that are known. */
interface Sides {
  readonly width_mm: number | null;
  readonly height_mm: number | null;
}

const INCH_MM = 25.4;
/** The regions whose people measure in inches. */
const INCH_REGIONS = /-(US|LR|MM)\b/;

/**
 * Such as `6 × 8 cm`, in inches `2.4 × 3.1 in`; with one side only, `8 cm`. Null without a side.
 * @param locale a BCP 47 tag; `en` alone means the United States
 */
export function formatDesignSize({ width_mm, height_mm }: Sides, locale: string): string | null {
  const sides = [width_mm, height_mm].filter((side) => side !== null);
  if (sides.length === 0) return null;
  const texts = sides.map((side) => toTypedSide(side, locale));
  return `${texts.join(' × ')} ${sideUnit(locale)}`;
}

/** The unit in which the people of a locale measure a design. @param locale a BCP 47 tag */
export function sideUnit(locale: string): 'cm' | 'in' {
  return locale === 'en' || INCH_REGIONS.test(locale) ? 'in' : 'cm';
}

/** There are at most as many for a locale as `MAX_DESIGN_MM`. */
const typedSides = new Map<string, string>();

/** A side as a field shows it, such as `6.5`, in the unit of the locale. */
export function toTypedSide(side_mm: number, locale: string): string {
  return remembered(typedSides, `${locale} ${side_mm}`, () => {
    const format = numberFormat(locale, { maximumFractionDigits: 1 });
    return format.format(side_mm / millimetersIn(sideUnit(locale)));
  });
}

/** How many millimeters the unit has. */
export function millimetersIn(unit: 'cm' | 'in'): number {
  return unit === 'in' ? INCH_MM : 10;
}

/** The upper bounds of the sizes in the booking form, between its ranges of whole inches. */
const SIZE_BOUNDS: readonly (readonly [size: TattooSize, belowInches: number])[] = [
  ['small', 3.5],
  ['medium', 8.5],
  ['large', 10.5],
  ['extra-large', Number.POSITIVE_INFINITY],
];

/** The size of the booking form that a design's longer side is; null when no side is known. */
export function sizeOfDesign({ width_mm, height_mm }: Sides): TattooSize | null {
  const longerSide = Math.max(width_mm ?? 0, height_mm ?? 0);
  if (longerSide === 0) return null;
  return SIZE_BOUNDS.find(([, inches]) => longerSide < inches * INCH_MM)?.[0] ?? null;
}

/** The fields of a design by which clients choose. */
interface FilteredDesign extends Sides {
  readonly status: string;
  readonly left: number | null;
  readonly placements: readonly BodyLocation[];
}

/** The filters above the designs; undefined: any. */
export interface DesignFilter {
  readonly placement?: BodyLocation | undefined;
  readonly size?: TattooSize | undefined;
  /** Only designs that clients can book. */
  readonly free?: boolean | undefined;
}

/** Whether clients can book the design: it is published, and an edition is left. */
export function isBookable({ status, left }: Pick<FilteredDesign, 'status' | 'left'>): boolean {
  return status === 'available' && left !== 0;
}

/** Whether a design passes the filter. */
export function matchesFilter(design: FilteredDesign, filter: DesignFilter): boolean {
  return (
    (filter.placement === undefined || design.placements.includes(filter.placement)) &&
    (filter.size === undefined || sizeOfDesign(design) === filter.size) &&
    (!filter.free || isBookable(design))
  );
}

/** How many other designs a client is shown. */
const MAX_ALIKE = 3;

/**
 * Designs in place of one that the client cannot have. Those with a placement or the size in common, the
 * ones with most in common first; if none has, the artist's first ones.
 */
export function listAlike<Design extends FilteredDesign & { readonly id: string }>(
  wanted: FilteredDesign & { readonly id: string },
  designs: readonly Design[],
): Design[] {
  const size = sizeOfDesign(wanted);
  const score = (design: Design) =>
    design.placements.filter((placement) => wanted.placements.includes(placement)).length +
    (size !== null && sizeOfDesign(design) === size ? 1 : 0);
  const others = designs
    .filter((design) => design.id !== wanted.id && isBookable(design))
    .map((design) => ({ design, likeness: score(design) }))
    .toSorted((one, other) => other.likeness - one.likeness);
  const alike = others.filter(({ likeness }) => likeness > 0);
  return (alike.length > 0 ? alike : others).slice(0, MAX_ALIKE).map(({ design }) => design);
}
