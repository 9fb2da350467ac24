const E164 = /^\+[1-9]\d{6,14}$/;
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * A phone number as E.164, or null when it cannot be one. A number without a country code gets +1;
 * spaces, dots, dashes, slashes and brackets are ignored.
 */
export function toE164(typed: string): string | null {
  // In +44 (0)20 …, the zero in brackets is dialled only within the country.
  const dialled = typed.trim().startsWith('+') ? typed.replace('(0)', '') : typed;
  const bare = dialled.replace(/[\s().\-/]/g, '');
  if (!/^\+?\d+$/.test(bare)) return null;
  const number = bare.startsWith('+') ? bare : `+1${bare.replace(/^1(?=\d{10}$)/, '')}`;
  return (number.startsWith('+1') ? NORTH_AMERICAN : E164).test(number) ? number : null;
}

/** At least so many digits are a number as it is dialled at home, maybe with a zero before it. */
const MIN_DIALLED_DIGITS = 7;

/**
 * The parts of a stored number (E.164) that a search may mean, in any spelling; none when the text
 * is no part of a phone number.
 */
export function phoneSearchParts(typed: string): string[] {
  const bare = typed.replace('(0)', '').replace(/[\s().\-/]/g, '');
  if (!/^\+?\d+$/.test(bare)) return [];
  // 00 before the country code, or 0 within the country, are dialled but not stored.
  if (bare.startsWith('00')) return [bare, bare.replace('00', '+')];
  const isDialledAtHome = bare.startsWith('0') && bare.length > MIN_DIALLED_DIGITS;
  return isDialledAtHome ? [bare, bare.slice(1)] : [bare];
}
