/**
 * Texts that programs read, such as emails, phone numbers, prices, sizes and handles, as people type or
 * paste them. Names and notes are only stored in one form of Unicode (`text_fields.ts`).
 */

/** Characters that show nothing, such as the zero-width space, and marks that set the direction of text. */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The text without spaces around it and characters that nobody sees. Other forms of letters, such as the
 * wide ones of East Asia, become the usual ones (NFKC); other dashes and digits become those of ASCII.
 */
export function toPlainText(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/\p{Pd}|\u2212/gu, '-')
    .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)
    .trim();
}

/** Unicode lists the ten digits of a script in order, right after those of another script or after no digit. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}
