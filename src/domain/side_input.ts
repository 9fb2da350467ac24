/** Sides of designs as people type them into a field. Pages without such a field do not load this. */
import { separatorsOf, toLatinDigits } from './amount_input.ts';
import { MAX_DESIGN_MM, millimetersIn, sideUnit } from './design.ts';
import { toKnownLocale } from './money.ts';

/**
 * Parses a side of a design, typed in the unit of the locale: `6.5` or `6,5`, also with the digits of the
 * locale.
 * @param tag the locale, a BCP 47 tag
 * @returns whole millimeters, or null if the text is not a length that a design can have
 */
export function parseDesignSide(typed: string, tag: string): number | null {
  const { decimal, zero } = separatorsOf(toKnownLocale(tag));
  const text = toLatinDigits(typed, zero)
    .trim()
    .replace(/\s*(cm|in)$/i, '')
    .replace(decimal, '.')
    .replace(',', '.');
  if (!/^\d+(\.\d+)?$/.test(text)) return null;
  const side = Math.round(Number(text) * millimetersIn(sideUnit(tag)));
  return side >= 1 && side <= MAX_DESIGN_MM ? side : null;
}
