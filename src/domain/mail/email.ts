import { decodePath } from '../requests/page_path.ts';
import { toPlainText } from '../text/typed_text.ts';

const NAME_PART = "[\\w!#$%&'*+/=?^`{|}~-]+";
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
/** As in the HTML standard, and with a dot in the domain, and as SMTP limits the part before the @. */
const EMAIL = new RegExp(
  `^(?=[^@]{1,64}@)${NAME_PART}(?:\\.${NAME_PART})*@(?:${LABEL}\\.)+${LABEL}$`,
  'i',
);

/** The longest email: an SMTP command must contain it (RFC 3696, erratum 1690). */
export const MAX_EMAIL_LENGTH = 254;

/**
 * The email of a typed or pasted text, such as `Rosa <rosa@example.com>` or `mailto:rosa@example.com`, with a domain in
 * Unicode as punycode, so that one email has one form but for letter case. It may still be no valid one (`emailError`).
 */
export function toEmail(typed: string): string {
  const text = toPlainText(typed);
  const [, bracketed = text] = /^(?!mailto:).*<([^<>]*)>/is.exec(text) ?? [];
  const [, linked] = /^mailto:(?:\/\/)?([^?]*)/i.exec(bracketed) ?? [];
  const found = linked === undefined ? bracketed : (decodePath(linked) ?? linked);
  // In a list or a sentence, a comma, a semicolon or a point follows the email.
  const email = toPlainText(found).replace(/[,;.]$/, '');
  const start = email.lastIndexOf('@') + 1;
  return email.slice(0, start) + toAsciiDomain(email.slice(start));
}

/** Why a typed text contains no valid email (`toEmail`); null when it does. */
export function emailError(typed: string): string | null {
  const email = toEmail(typed);
  if (email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email)) return null;
  const name = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return /\P{ASCII}/u.test(name)
    ? 'Before the @, use letters without accents, digits and signs'
    : 'Invalid email address';
}

/** The link that opens a mail program. Some do not understand an encoded `@`, so it stays as it is. */
export function mailtoHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

/** A domain in Unicode as punycode; any other text as it is. */
function toAsciiDomain(domain: string): string {
  // `URL` would drop the path or port of an address.
  if (!/\P{ASCII}/u.test(domain) || /[\s/?#:\\%]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}
