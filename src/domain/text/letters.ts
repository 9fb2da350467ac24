/** Only letters and digits, in lower case and without accents: the same for `Mika Réunion` and `mika.reunion`. */
export function toLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
