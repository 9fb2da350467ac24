// Names of people, studios and services must contain no links, because mails and pages show them.
import { OPEN_TOP_LEVEL_DOMAINS } from './top_level_domains.ts';

/** Shown like the dot of a domain, and often read as one; the usual form NFKC replaces more of them. */
const OTHER_DOTS = /[\u3002\u0701\u0702\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;
/** Characters without a shape, such as the zero-width space, which could hide a link from us. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const SCHEME =
  /\bhttps?:|\b(?:ftp|mailto|tel|sms|smsto|mms|callto|facetime|skype|whatsapp|sip|sips|xmpp|webcal|bitcoin|maps|geo):\S|:\/\//i;
const WWW = /\bwww\d*\./i;
/** Words with dots between them and no spaces, and what follows: an address may have a path. */
const DOTTED_WORDS =
  /(?<![^\s\p{P}]|[_-])((?:(?:[^\s\p{P}]|[_-])+\.)+(?:[^\s\p{P}]|[_-])+)([/?#]|:\d)?/gu;
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}(?![.\d])/;
/** The start of a word that may be a top-level domain; mail programs end an address at a hyphen. */
const ENDING = /^(?:xn--[a-z0-9-]+|\p{L}{2,}(?![\p{L}\p{N}]))/iu;
const COUNTRY_OR_ENCODED = /^(?:\p{L}{2}|xn--.*)$/u;
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(
  withoutMarks(OPEN_TOP_LEVEL_DOMAINS).trim().split(/\s+/),
);

/** 'J.R.Smith', 'dr.who' and 'Jo.Ann' are people, unless they end as a known domain does. */
const ABBREVIATION = /^(?:\p{L}|dr|mr|mrs|ms|mx|st|ste|no|nr|prof|jr|sr|mt|ft|vs|bros|feat)$/iu;
const LATIN_WORD = /^[a-z]+$/i;
const CAPITALIZED = /^\p{Lu}(?:[\p{L}-]*\p{Ll})?$/u;

/**
 * Whether mail programs could turn a part of the text into a link: `https://…`, `www.…`,
 * `evil.com`, `bit.ly/x` or an email address. 'St. Mary', 'No.5' and 'A.B.C. Tattoo' are none.
 */
export function looksLikeLink(text: string): boolean {
  return [
    withoutMarks(toPlain(text)),
    // Mail programs may end a link at a hidden character, or at a letter that is not ASCII.
    withoutMarks(toPlain(text.replace(INVISIBLE, ' '))),
    toPlain(text).replace(/[^\p{ASCII}]/gu, ' '),
  ].some(hasLink);
}

function hasLink(plain: string): boolean {
  if (SCHEME.test(plain) || WWW.test(plain)) return true;
  return [...plain.matchAll(DOTTED_WORDS)].some(([, words = '', path]) =>
    isAddress(words, path !== undefined),
  );
}

/** Puts spaces where links have dots and slashes, so that no mail program makes them clickable. */
export function withoutLinks(text: string): string {
  if (!looksLikeLink(text)) return text;
  return toPlain(text)
    .replace(/[.:/@]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** The text as a mail program may read it: without styles of letters and without hidden characters. */
function toPlain(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').replace(OTHER_DOTS, '.');
}

function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

function isAddress(dottedWords: string, hasPath: boolean): boolean {
  if (IP_ADDRESS.test(dottedWords)) return true;
  const words = dottedWords.split('.');
  const firstFullWord = words.findIndex((word) => !ABBREVIATION.test(word));
  return words.some((word, index) => {
    const ending = index > 0 && ENDING.exec(word)?.[0];
    if (!ending) return false;
    const followsAbbreviations = firstFullWord === -1 || firstFullWord >= index;
    const isKnown = isKnownEnding(ending.toLowerCase());
    if (index < words.length - 1)
      return isKnown && !(followsAbbreviations && ABBREVIATION.test(ending));
    if (hasPath || isKnown) return true;
    const isPerson = followsAbbreviations && LATIN_WORD.test(ending);
    return !isPerson && ![...words.slice(0, -1), ending].every((part) => CAPITALIZED.test(part));
  });
}

function isKnownEnding(ending: string): boolean {
  return COUNTRY_OR_ENCODED.test(ending) || KNOWN_ENDINGS.has(ending);
}

/** Line breaks and other control characters, and characters that change the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether the text contains a control character, such as a line break or a bidi override. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text);
}

/** Whether the text shows nothing although it is not empty, such as two zero-width spaces. */
export function isInvisible(text: string): boolean {
  return text !== '' && text.replace(INVISIBLE, '').trim() === '';
}
