import * as z from 'zod/mini';
import type { Design } from '#contract/design.ts';
import { MAX_DESIGN_MM, MAX_EDITIONS, sideUnit, toTypedSide } from '#domain/design.ts';
import { parseDesignSide } from '#domain/side_input.ts';
import { toPlainText } from '#domain/typed_text.ts';

/** The typed texts of a design's size and editions, as its fields show them; empty is null. */
export function toTypedFacts({ width_mm, height_mm, editions }: Design, locale: string) {
  const write = (side: number | null) => (side === null ? '' : toTypedSide(side, locale));
  return {
    width: write(width_mm),
    height: write(height_mm),
    editions: editions === null ? '' : String(editions),
  };
}

/**
 * One side, typed in the unit of the locale; its output is millimeters, null when empty.
 * @param stored the side before: the text that the field shows of it stands for all of its digits
 */
export function sideFieldSchema(stored: number | null, locale: string) {
  const shown = stored === null ? null : toTypedSide(stored, locale);
  const parse = (typed: string) => (typed === shown ? stored : parseDesignSide(typed, locale));
  const unit = sideUnit(locale);
  const largest = toTypedSide(MAX_DESIGN_MM, locale);
  return z.pipe(
    z
      .string()
      .check(
        z.refine(
          (typed) => typed.trim() === '' || parse(typed) !== null,
          `Must be a length up to ${largest} ${unit}`,
        ),
      ),
    z.transform(parse),
  );
}

const toCount = (typed: string) => Number(/^\d+$/.exec(toPlainText(typed))?.[0]);

/** How often a design may be tattooed, as typed; its output is null when empty: without limit. */
export const editionsFieldSchema = z.pipe(
  z.string().check(
    z.refine((typed) => {
      const count = toCount(typed);
      const isEmpty = typed.trim() === '';
      return isEmpty || (count >= 1 && count <= MAX_EDITIONS);
    }, `Must be 1 to ${MAX_EDITIONS}, or empty`),
  ),
  z.transform((typed: string) => (typed.trim() === '' ? null : toCount(typed))),
);
