/** Tokens of links that only a mail carries. They are signed, so none of them is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenKeys } from '../token_keys.ts';

/**
 * The purpose of a link. Some facts are written in its token (`named`). Others are only signed with it (`known`),
 * because the reader of the token knows them already.
 */
type Purpose =
  /** Proves that an artist reads their email. Named: the artist's id; known: the email. */
  | 'prove email'
  /** Proves that an appointment's client reads their email. Known: the appointment's id, the email. */
  | 'appointment'
  /** Gives an appointment another email. Known: the appointment's id, both emails. */
  | 'change client email'
  /** Stops an artist's mail to a mailbox. Named: the artist's id and the hash of the mailbox. */
  | 'stop mail'
  /** Undoes a change of an account's email. Named: the id of the change. */
  | 'undo email change'
  /** Downloads an export. Known: the id of the export. */
  | 'export';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** 128 bits cannot be guessed, and the links stay short. */
const SIGNATURE_BYTES = 16;

/**
 * Creates the token of a link: `<named fact>.<named fact>.<signature>`. It never expires.
 * @param named facts in the token
 * @param known facts that are signed too; letter case does not count
 */
export function signLink(
  { signing }: TokenKeys,
  purpose: Purpose,
  named: readonly string[],
  known: readonly string[] = [],
): string {
  return [...named, signWith(signing, purpose, named, known)].join('.');
}

/** The facts in a token; undefined if we did not sign it for this purpose, or with other known facts. */
export function readLink(
  { verifying }: TokenKeys,
  purpose: Purpose,
  token: string,
  known: readonly string[] = [],
): readonly string[] | undefined {
  const parts = token.split('.');
  const named = parts.slice(0, -1);
  const signature = parts.at(-1) ?? '';
  const isOurs = verifying.some((key) => isEqual(signature, signWith(key, purpose, named, known)));
  return isOurs ? named : undefined;
}

/** The artist's id in the token of a `prove email` link, whose signature is not checked; undefined for none. */
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
  return hmac.digest().subarray(0, SIGNATURE_BYTES).toString('base64url');
}

/** Compares in constant time, so that the time says nothing about the right signature. */
function isEqual(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
