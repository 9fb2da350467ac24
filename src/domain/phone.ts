const PUNCTUATION = /[\s().\-/]/g;
const E164 = /^\+[1-9]\d{6,14}$/;
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * A phone number as E.164, or null when it cannot be one. A number without a country code gets +1;
 * spaces, dots, dashes, slashes and brackets are ignored.
 */
export function toE164(typed: string): string | null {
  const bare = withoutPunctuation(typed);
  if (!/^\+?\d+$/.test(bare)) return null;
  const number = bare.startsWith('+') ? bare : `+1${bare.replace(/^1(?=\d{10}$)/, '')}`;
  return (number.startsWith('+1') ? NORTH_AMERICAN : E164).test(number) ? number : null;
}

function withoutPunctuation(typed: string): string {
  // In +44 (0)20 …, the zero in brackets is dialled only within the country.
  const dialled = typed.trim().startsWith('+') ? typed.replace('(0)', '') : typed;
  return dialled.replace(PUNCTUATION, '');
}

/** At least so many digits are a number as it is dialled at home, maybe with a zero before it. */
const MIN_DIALLED_DIGITS = 7;

/** The digits of a number without a plus: at most 00 and the 15 digits of E.164. */
const DIALLED = new RegExp(`^\\d{${MIN_DIALLED_DIGITS},17}$`);

/** Why a text cannot be stored as a phone number (`toE164`); null when it can. */
export function phoneError(typed: string): string | null {
  if (toE164(typed) !== null) return null;
  return DIALLED.test(withoutPunctuation(typed))
    ? 'This is no number in the US or Canada. For another country, begin with + and its code.'
    : 'Invalid phone number';
}

/**
 * The parts of a stored number (E.164) that a search may mean, in any spelling; none when the text
 * is not a part of a phone number.
 */
export function phoneSearchParts(typed: string): string[] {
  const bare = typed.replace('(0)', '').replace(PUNCTUATION, '');
  if (!/^\+?\d+$/.test(bare)) return [];
  // 00 before the country code, or 0 within the country, are dialled but not stored.
  if (bare.startsWith('00')) return [bare, bare.replace('00', '+')];
  const isDialledAtHome = bare.startsWith('0') && bare.length > MIN_DIALLED_DIGITS;
  return isDialledAtHome ? [bare, bare.slice(1)] : [bare];
}
