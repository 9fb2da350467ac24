/**
 * Only the letters and digits of a text, in lower case and without accents: for two texts that count as the same,
 * such as `Réunion` and `Reunion`, or `Mika Tattoo` and `mika.tattoo`.
 */
export function toLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
