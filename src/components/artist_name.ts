import type { Artist } from '#contract/artist.ts';
import { toLetters } from '#domain/text/letters.ts';

/** The full name to show beside the username; null where both are the same, as `Mika Tattoo` and `mika.tattoo`. */
export function fullNameBeside(artist: Pick<Artist, 'username' | 'full_name'>): string | null {
  const { username, full_name: name } = artist;
  return toLetters(name) === toLetters(username) ? null : name;
}

/**
 * Classes with the widths, in em, of a username in the serif font and of its widest part: `.one-line`
 * (artist.css) scales the name to its container. Not a style attribute, which the Content-Security-Policy forbids.
 */
export function nameWidthClass(username: string): string {
  const widest = Math.max(...splitUsername(username).map(widthOf));
  // In steps, because artist.css lists every class that can result.
  const emWidth = Math.max(8, 4 * Math.ceil(widthOf(username) / 4));
  return `[--em-width:${emWidth}] [--part-width:${Math.max(12, 2 * Math.ceil(widest / 2))}]`;
}

/** Whether a username needs a line of its own on a phone: in its smallest size, it is wider than `basis-56`. */
export function isWideName(username: string): boolean {
  // `basis-56` is 14rem, and the smallest size of the font is 1rem (artist.css).
  return widthOf(username) > 14;
}

/** The parts between which a line may break: after a `-`, `.` or `_`. */
export function splitUsername(username: string): readonly string[] {
  return username.split(/(?<=[-._])/);
}

/** The width of a text in the serif font, in em. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
}

/** Measured in the serif font, in em. Only some letters are much wider or narrower than the others. */
function letterWidth(letter: string): number {
  if (letter === 'm') return 1.05;
  if (letter === 'w') return 0.94;
  if ('ft1'.includes(letter)) return 0.42;
  return 'ijl.'.includes(letter) ? 0.36 : 0.68;
}
