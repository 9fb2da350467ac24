/** Sides of designs as people type them into a field. Pages without such a field do not load this. */
import { MAX_DESIGN_MM, millimetersIn, sideUnit } from '../studio/design.ts';
import { toPlainText } from './typed_text.ts';

/**
 * A number, or a fraction that may follow a whole number, and maybe a unit: `6.5`, `1/2`, `6 1/2 in`, `6-1/2"`.
 * The groups: number; whole number, numerator, denominator; unit.
 */
const SIDE = /^(?:(\d+\.?\d*|\.\d+)|(?:(\d+)[ -])?(\d+)\/(\d+)) ?([^\d\s./-]*)\.?$/;

/** The units that may be typed, in lower case and as `toPlainText` writes them, in millimeters. */
const UNITS: readonly (readonly [mm: number, units: RegExp])[] = [
  [1, /^(?:mm|мм|millimet(?:er|re)s?)$/],
  [millimetersIn('cm'), /^(?:cm|см|centimet(?:er|re)s?)$/],
  [millimetersIn('in'), /^(?:"|”|''|′′|in|inch|inches|zoll)$/],
];

/**
 * Parses a side of a design: a number with a point or a comma, or a fraction, in the typed unit or else
 * in that of the locale; also with the digits of any script.
 * @param tag the locale, a BCP 47 tag
 * @returns whole millimeters, or null if the text is not a length that a design can have
 */
export function parseDesignSide(typed: string, tag: string): number | null {
  // Without the space, `toPlainText` would write 6½ as 61⁄2.
  const text = toPlainText(typed.replace(/(?<=\p{Nd})(?=\p{No})/gu, ' '));
  // `1,200 mm` may mean 1.2 or 1,200. Only inches have three decimals, as in `6.125 in`.
  if (/\d[.,٫]\d{3}(?!\d)/.test(text) && !/\.\d{3} ?(?:"|in)/i.test(text)) return null;
  // Unicode's own sign for fractions, and the comma and the Arabic comma for decimals.
  const match = SIDE.exec(text.toLowerCase().replace('⁄', '/').replace(/[,٫]/, '.'));
  if (!match) return null;
  const [, number, whole = '0', numerator, denominator, unit = ''] = match;
  const length = number ?? Number(whole) + Number(numerator) / Number(denominator);
  const unitMm =
    unit === '' ? millimetersIn(sideUnit(tag)) : UNITS.find(([, units]) => units.test(unit))?.[0];
  if (unitMm === undefined) return null;
  const side = Math.round(Number(length) * unitMm);
  return side >= 1 && side <= MAX_DESIGN_MM ? side : null;
}
