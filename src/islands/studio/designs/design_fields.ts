import * as z from 'zod/mini';
import type { Design } from '#contract/design.ts';
import {
  MAX_DESIGN_MM,
  MAX_EDITIONS,
  parseDesignSide,
  sideUnit,
  toTypedSide,
} from '#domain/design.ts';

/** The typed texts of a design's size and editions, as its fields show them; empty is null. */
export function toTypedFacts({ width_mm, height_mm, editions }: Design, locale: string) {
  const write = (side: number | null) => (side === null ? '' : toTypedSide(side, locale));
  return {
    width: write(width_mm),
    height: write(height_mm),
    editions: editions === null ? '' : String(editions),
  };
}

/** One side, typed in the unit of the locale; its output is millimeters, null when empty. */
export function sideFieldSchema(locale: string) {
  const unit = sideUnit(locale);
  const largest = toTypedSide(MAX_DESIGN_MM, locale);
  return z.pipe(
    z
      .string()
      .check(
        z.refine(
          (typed) => typed.trim() === '' || parseDesignSide(typed, locale) !== null,
          `Must be a length up to ${largest} ${unit}`,
        ),
      ),
    z.transform((typed: string) => parseDesignSide(typed, locale)),
  );
}

/** How often a design may be tattooed, as typed; its output is null when empty: without limit. */
export const editionsFieldSchema = z.pipe(
  z.string().check(
    z.refine((typed) => {
      const count = Number(typed);
      const isEmpty = typed.trim() === '';
      return isEmpty || (Number.isInteger(count) && count >= 1 && count <= MAX_EDITIONS);
    }, `Must be 1 to ${MAX_EDITIONS}, or empty`),
  ),
  z.transform((typed: string) => (typed.trim() === '' ? null : Number(typed))),
);
