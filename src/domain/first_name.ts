const MAX_LENGTH = 20;
const WORD = /^\p{L}[\p{L}\p{M}'’-]*$/u;
/** Letters of these look alike, so a word with letters of two may be read as another one. */
const LOOKALIKE_SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/**
 * The first word of a person's name, if it can be a first name: letters of one script with their marks,
 * apostrophes and hyphens, at most 20 of them. Null otherwise, as for 'Dr. Reyes' and 'evil.com'.
 */
export function firstName(name: string): string | null {
  const [word = ''] = name.trim().split(/\s/);
  const isWord = WORD.test(word) && word.length <= MAX_LENGTH && word.normalize('NFKC') === word;
  const scripts = LOOKALIKE_SCRIPTS.filter((script) => script.test(word));
  return isWord && scripts.length <= 1 ? word : null;
}
