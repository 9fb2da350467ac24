/** Tokens of links that only a mail carries. They are signed, so none of them is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenKeys } from '../token_keys.ts';

/** The purpose of a link. Its token names some facts; the reader of the token knows the others. */
type Purpose =
  /** Reads the mail to an artist's email. Names the artist's id; known: the email. */
  | 'prove email'
  /** Reads the mail to the email of an appointment's client. Known: the appointment's id, the email. */
  | 'appointment'
  /** Wants the mails of an appointment at another email. Known: the appointment's id, both emails. */
  | 'change client email'
  /** Stops an artist's mail to a mailbox. Names the artist's id and the hash of the mailbox. */
  | 'stop mail'
  /** Undoes a change of an account's email. Names the id of the change. */
  | 'undo email change'
  /** Downloads an export. Known: its id. */
  | 'export';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** 128 bits cannot be guessed, and the links stay short. */
const BYTES = 16;

/**
 * Signs a link: `<named fact>.<named fact>.<signature>`. It never expires.
 * @param known letter case does not count
 */
export function signLink(
  { signing }: TokenKeys,
  purpose: Purpose,
  named: readonly string[],
  known: readonly string[] = [],
): string {
  return [...named, signWith(signing, purpose, named, known)].join('.');
}

/** The facts that a token names; undefined for a token that we did not sign for this. */
export function readLink(
  { verifying }: TokenKeys,
  purpose: Purpose,
  token: string,
  known: readonly string[] = [],
): readonly string[] | undefined {
  const facts = token.split('.');
  const [named, signature = ''] = [facts.slice(0, -1), facts.at(-1)];
  const isOurs = verifying.some((key) => isEqual(signature, signWith(key, purpose, named, known)));
  return isOurs ? named : undefined;
}

/** The id of the artist whom a proof of an email names, signed or not; undefined for none. */
export function emailProofArtist(token: string): string | undefined {
  const [artistId = ''] = token.split('.');
  return UUID.test(artistId) ? artistId : undefined;
}

function signWith(
  key: Uint8Array,
  purpose: Purpose,
  named: readonly string[],
  known: readonly string[],
): string {
  const parts = [purpose, ...named, ...known.map((fact) => fact.toLowerCase())];
  const hmac = createHmac('sha256', key).update(JSON.stringify(parts));
  return hmac.digest().subarray(0, BYTES).toString('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
