// Names of people, studios and services must contain no links, because mails and pages show them.

/** Browsers read these as dots in a domain: the ideographic and the full-width full stop. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
/** Characters without a shape, such as the zero-width space, which could hide a link from us. */
const INVISIBLE = /\p{Cf}|\u034f|[\u115f\u1160]|\u17b4|\u17b5|[\u2800\u3164\uffa0]/gu;

const SCHEME = /(?:\bhttps?:|\bftp:|\bmailto:|[a-z0-9]:\/\/)/gi;
const WWW = /\bwww\d*\./gi;
/**
 * Words with dots between them and no spaces, and what follows: an address may have a path. Takes
 * quadratic time, so search only in texts of limited length.
 */
const DOTTED_WORDS =
  /(?<![\p{L}\p{M}\p{N}])((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.)+)([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)([/?#]|:\d)?/gu;
const TOP_LEVEL_DOMAIN = /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

/** 'J.R.Smith' and 'Dr.Who' are people, unless the last word is a usual domain, as in 't.co'. */
const ABBREVIATION = /^(?:\p{L}|dr|mr|mrs|ms|mx|st|ste|no|nr|prof|jr|sr|mt|ft|vs|bros|feat)$/iu;
const USUAL_DOMAIN =
  /^(?:\p{L}{2}|com|net|org|info|biz|app|dev|xyz|top|site|online|store|shop|club|link|live|icu|vip|work|page|blog|cloud|click|ink|art|tattoo|studio|pro|mobi|name|fun|win|bid|loan)$/iu;

/**
 * Whether mail programs could turn a part of the text into a link: `https://…`, `www.…`,
 * `evil.com`, `bit.ly/x` or an email address. 'St. Mary', 'No.5' and 'A.B.C. Tattoo' are none.
 */
export function looksLikeLink(text: string): boolean {
  const plain = toPlain(text);
  if (plain.search(SCHEME) !== -1 || plain.search(WWW) !== -1) return true;
  return [...plain.matchAll(DOTTED_WORDS)].some(isDomain);
}

/** Puts spaces where links have dots and slashes, so that no mail program makes them clickable. */
export function withoutLinks(text: string): string {
  if (!looksLikeLink(text)) return text;
  return toPlain(text)
    .replace(SCHEME, (scheme) => `${scheme.replace(/[:/]+/, '')} `)
    .replace(/[.:/@]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function toPlain(text: string): string {
  return text.replace(INVISIBLE, '').replace(OTHER_DOTS, '.');
}

function isDomain(match: RegExpExecArray): boolean {
  const [, dotted = '', lastWord = '', path] = match;
  if (!TOP_LEVEL_DOMAIN.test(lastWord))
    return path === '/' && /^\d+$/.test(lastWord) && dotted.split('.').length === 4;
  if (path !== undefined || USUAL_DOMAIN.test(lastWord)) return true;
  return !dotted
    .slice(0, -1)
    .split('.')
    .every((word) => ABBREVIATION.test(word));
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
