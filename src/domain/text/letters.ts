/** The letters and digits of a text, to compare `Réunion` and `Reunion`, or `Mika Tattoo` and `mika.tattoo`. */
export function toLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
