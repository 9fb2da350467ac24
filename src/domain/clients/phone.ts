import { toPlainText } from '../text/typed_text.ts';

/** The signs between digits; also the long vowel mark, which Japanese keyboards type for a dash. */
const PUNCTUATION = /[\s().\-/ー]/g;
/**
 * The end of a number that only a switchboard understands, such as `, ext. 4` or `,,4`. E.164 has none.
 * The lookbehind keeps the time linear: only the first of many spaces can begin a match.
 */
const EXTENSION =
  /(?<![\s,;])[\s,;]*(?:,,|#|(?:extension|ext|x|poste|int|durchwahl|dw|p|доб)[.:=]?)\s*(\d{1,6})$/i;
/** The code of a country (ITU-T E.164), and the zero that is dialled only within it; in Hungary, 06. */
const TRUNK_ZERO =
  /^(\+(?:[17]|2(?:[07]|[1-69]\d)|3(?:[0-46]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)|8(?:[1246]|[0578]\d)|9(?:[0-58]|[679]\d)))(?:(?<=36)06|0)/;
/**
 * The eight that is dialled only within Russia, Kazakhstan, Lithuania and Belarus, where a number is longer with
 * it.
 */
const TRUNK_EIGHT = /^\+(?:(7)8(?=\d{10}$)|(370)8(?=\d{8}$)|(375)80?(?=\d{9}$))/;
/** Countries whose numbers begin with a zero also from abroad. */
const KEEPS_ZERO = /^\+(?:39|378|379|225|226|229|241|242)/;
const E164 = /^\+[1-9]\d{6,14}$/;
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * A phone number as E.164, or null when it cannot be one. A number without a country code (after `+` or
 * `00`) gets +1; spaces, dots, dashes, slashes, brackets, `tel:` and an extension are ignored.
 */
export function toE164(typed: string): string | null {
  const bare = toDialled(typed);
  if (!/^\+?\d+$/.test(bare)) return null;
  const number = bare.startsWith('+') ? bare : `+1${bare.replace(/^1(?=\d{10}$)/, '')}`;
  return (number.startsWith('+1') ? NORTH_AMERICAN : E164).test(number) ? number : null;
}

/** The digits that are dialled, after a plus if a country code comes first. */
function toDialled(typed: string): string {
  const bare = withoutPunctuation(typed).replace(/^00(?=[1-9])/, '+');
  if (KEEPS_ZERO.test(bare)) return bare;
  return bare.replace(TRUNK_ZERO, '$1').replace(TRUNK_EIGHT, '+$1$2$3');
}

function withoutPunctuation(typed: string): string {
  const number = toPlainText(typed).replace(/^tel:/i, '').replace(EXTENSION, '');
  return number.replace(PUNCTUATION, '');
}

/** A number with at least this many digits may be a whole number as people dial it within their country. */
const MIN_DIALLED_DIGITS = 7;

/** The digits of a number without a plus: at most the 15 of E.164. */
const DIALLED = new RegExp(`^\\d{${MIN_DIALLED_DIGITS},15}$`);

/** Why a text cannot be stored as a phone number (`toE164`); null when it can. */
export function phoneError(typed: string): string | null {
  if (toE164(typed) !== null) return null;
  return DIALLED.test(toDialled(typed))
    ? 'This is no number in the US or Canada. For another country, begin with + and its code.'
    : 'Invalid phone number';
}

/** Says that the extension of a typed number is not stored (`toE164`); null when it has none. */
export function extensionNotice(typed: string): string | null {
  const extension = EXTENSION.exec(toPlainText(typed))?.[1];
  if (extension === undefined || toE164(typed) === null) return null;
  return `Extension ${extension} is not saved: write it in the notes.`;
}

/**
 * The parts of a stored number (E.164) that a search may mean, in any spelling; none when the text
 * is not a part of a phone number.
 */
export function phoneSearchParts(typed: string): string[] {
  const bare = toDialled(typed);
  if (!/^\+?\d+$/.test(bare)) return [];
  const digits = withoutPunctuation(typed);
  // The zeros stand before the country code, or inside a number.
  if (digits.startsWith('00')) return [digits, bare];
  // The 0 before a number within the country is dialled but not stored.
  const isDialledAtHome = bare.startsWith('0') && bare.length > MIN_DIALLED_DIGITS;
  return isDialledAtHome ? [bare, bare.slice(1)] : [bare];
}
