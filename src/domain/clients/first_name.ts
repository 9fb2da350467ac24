const WORD = /^\p{L}[\p{L}\p{M}]*(?:['’-][\p{L}\p{M}]+)?$/u;

/** Scripts with spaces between words, so that one word is no sentence. */
const SPACED = `Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Ethiopic
  Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam`
  .split(/\s+/)
  .map((script) => new RegExp(`^[\\p{Script=${script}}\\p{M}'’-]+$`, 'u'));
/** Scripts of names, and how many letters a name has. A name has one script: letters of two can look alike. */
const SCRIPTS: readonly (readonly [readonly RegExp[], maxLetters: number])[] = [
  [SPACED, 30],
  [
    [/^[\p{Script=Thai}\p{M}]+$/u, /^[\p{Script=Khmer}\p{M}]+$/u, /^[\p{Script=Myanmar}\p{M}]+$/u],
    6,
  ],
  [[/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u, /^\p{Script=Hangul}+$/u], 4],
];

/**
 * The first word of a person's name, if it can be a first name: at most 30 letters of one script with their
 * marks, and at most one apostrophe or hyphen; fewer letters in scripts without spaces, where more are a
 * sentence. Null otherwise, as for 'Dr. Reyes', 'evil.com' and 'Call-me-now'.
 */
export function firstName(name: string): string | null {
  const [word = ''] = name.trim().split(/\s/);
  if (!WORD.test(word) || word.normalize('NFKC') !== word) return null;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const isName = SCRIPTS.some(
    ([scripts, max]) => letters <= max && scripts.some((script) => script.test(word)),
  );
  return isName ? word : null;
}
