// Finds links in texts that people type. Our mails contain names of people, studios and services; nobody may use
// them to send a link to a stranger. Mail programs make links of plain text, each by rules of its own.
import { OPEN_TOP_LEVEL_DOMAINS } from './top_level_domains.ts';
import { INVISIBLE } from './typed_text.ts';

/** Signs that look like the dot of a domain, and are often read as one. NFKC has replaced others like them. */
const OTHER_DOTS = /[\u3002\u0701\u0702\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;

const SCHEME =
  /\bhttps?:|\b(?:ftp|mailto|tel|sms|smsto|mms|callto|facetime|skype|whatsapp|sip|sips|xmpp|webcal|bitcoin|maps|geo):\S|:\/\//i;
const WWW = /\bwww\d*\.\S/i;
/** Words with dots between them and no spaces; then, as a second group, the start of a path or port. */
const DOTTED_WORDS =
  /(?<![^\s\p{P}]|[_-])((?:(?:[^\s\p{P}]|[_-])+\.)+(?:[^\s\p{P}]|[_-])+)([/?#]|:\d)?/gu;
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}(?![.\d])/;
/** The start of a word that may be a top-level domain; mail programs end an address at a hyphen. */
const ENDING = /^(?:xn--[a-z0-9-]+|\p{L}{2,}(?![\p{L}\p{N}]))/iu;
/** A top-level domain of two letters, or one that is encoded in ASCII: all of these count. */
const COUNTRY_OR_ENCODED = /^(?:\p{L}{2}|xn--.*)$/u;
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(
  withoutMarks(OPEN_TOP_LEVEL_DOMAINS).trim().split(/\s+/),
);

/** A short word that people write with a dot: 'J.R.Smith' and 'dr.who' are people, unless a known ending follows. */
const ABBREVIATION = /^(?:\p{L}|dr|mr|mrs|ms|mx|st|ste|no|nr|prof|jr|sr|mt|ft|vs|bros|feat)$/iu;

/** Whether a text is meant as a link, because it has a scheme or `www.`, such as `https://…`. */
export function isLink(text: string): boolean {
  return readings(text).some((plain) => SCHEME.test(plain) || WWW.test(plain));
}

/**
 * Whether mail programs could turn a part of the text into a link: `https://…`, `www.…`, `evil.com`,
 * `bit.ly/x`, an email address, and words that are meant otherwise, such as `C.so Italia` or `J.Lo`.
 * False for 'St. Mary', 'No.5' and 'A.B.C. Tattoo'.
 */
export function looksLikeLink(text: string): boolean {
  return isLink(text) || readings(text).flatMap(dottedWordsIn).some(isAddress);
}

/** The ways in which mail programs may read a text: some end a link at a hidden character, or outside ASCII. */
function readings(text: string): string[] {
  return [
    withoutMarks(toPlain(text)),
    withoutMarks(toPlain(text.replace(INVISIBLE, ' '))),
    toPlain(text).replace(/[^\p{ASCII}]/gu, ' '),
  ];
}

/** The words with dots between them in a reading of a text, and whether a path or a port follows. */
function dottedWordsIn(plain: string): { words: string; hasPath: boolean }[] {
  return [...plain.matchAll(DOTTED_WORDS)].map(([, words = '', path]) => ({
    words,
    hasPath: path !== undefined,
  }));
}

/** Puts spaces into texts like a link, such as `evil. com`, so that no mail program makes them clickable. */
export function withoutLinks(text: string): string {
  if (!looksLikeLink(text)) return text;
  return toPlain(text)
    .replace(/[:/@]+/g, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/ +/g, ' ')
    .trim();
}

/** An email as mails show it to others: with spaces if a part of it reads as a page, as in `evil.com/pay?x=1@x.com`. */
export function shownEmail(email: string): string {
  const name = email.slice(0, email.lastIndexOf('@'));
  const isPage = isLink(name) || (/[/?#&=]/.test(name) && looksLikeLink(name));
  return isPage ? withoutLinks(email) : email;
}

/** How a mail names a client to the artist: by the name, or else by the email, or else as 'A client'. */
export function nameOrEmail(client: {
  readonly name: string | null;
  readonly email: string | null;
}): string {
  return client.name ?? (client.email && shownEmail(client.email)) ?? 'A client';
}

/** Words after short ones, such as `C.so` and `P.O.Box`. Few domains have so short a name. */
const STREET = /^(?:\p{L}{1,3}\.)+[^.]+$/u;

/**
 * A line of a proven artist's address for strangers: as typed if its dotted words are abbreviations, such as
 * `C.so Italia 3`; else with spaces in texts that mail programs could make a link of.
 */
export function shownAddress(line: string): string {
  const dottedWords = readings(line).flatMap(dottedWordsIn);
  const isStreet = dottedWords.every(({ words, hasPath }) => !hasPath && STREET.test(words));
  return isStreet && !isLink(line) && !line.includes('@') ? line : withoutLinks(line);
}

/** The text as a mail program may read it: without styles of letters and without hidden characters. */
function toPlain(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').replace(OTHER_DOTS, '.');
}

function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** Whether a mail program could make a link of words with dots between them. */
function isAddress({ words, hasPath }: { words: string; hasPath: boolean }): boolean {
  if (IP_ADDRESS.test(words)) return true;
  const parts = words.split('.');
  const firstFullWord = parts.findIndex((word) => !ABBREVIATION.test(word));
  return parts.some((word, index) => {
    const ending = index > 0 && ENDING.exec(word)?.[0];
    if (!ending) return false;
    // Only abbreviations stand before the word, as in `J.R.Smith`.
    const followsAbbreviations = firstFullWord === -1 || firstFullWord >= index;
    const isKnown = isKnownEnding(ending.toLowerCase());
    // More words follow: only a known ending can end an address here.
    if (index < parts.length - 1)
      return isKnown && !(followsAbbreviations && ABBREVIATION.test(ending));
    // At the end of the words, any ending counts, since there are always new ones.
    return hasPath || isKnown || !followsAbbreviations;
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
