import type { Artist } from '#contract/artist.ts';

/** The name beside the username; null where it says the same, as `Mika Tattoo` beside `mika.tattoo`. */
export function fullNameBeside({ username, full_name: name }: NamedArtist): string | null {
  return toLetters(name) === toLetters(username) ? null : name;
}

type NamedArtist = Pick<Artist, 'username' | 'full_name'>;

function toLetters(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * A class with the width of a username in the serif, in em: `.one-line` (artist.css) scales it to
 * its container. A style attribute would break the Content-Security-Policy.
 */
export function nameWidthClass(username: string): string {
  const widths = [...username].map((letter) => LETTER_WIDTHS[letter] ?? 0.68);
  const width = widths.reduce((sum, one) => sum + one, 0);
  // Few steps, so that the stylesheet has few classes.
  return `[--em-width:${Math.max(8, 4 * Math.ceil(width / 4))}]`;
}

/** Letters that are much wider or narrower than the others, in em. */
const LETTER_WIDTHS: Readonly<Record<string, number>> = {
  ...{ m: 1.05, w: 0.94 },
  ...{ f: 0.42, i: 0.36, j: 0.36, l: 0.36, t: 0.42, 1: 0.42, '.': 0.36 },
};
