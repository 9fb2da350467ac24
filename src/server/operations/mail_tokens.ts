/** Tokens of links that only a mail carries. They are signed, so none of them is stored. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { toMailbox } from '#domain/mailbox.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** 128 bits cannot be guessed, and the links stay short. */
const BYTES = 16;

/** Signs that an artist can read the mail to an email: `<artist id>.<signature>`. */
export function signEmailProof(secret: Uint8Array, artistId: string, email: string): string {
  return `${artistId}.${sign(secret, 'prove email', artistId, email.toLowerCase())}`;
}

/** The id of the artist to whom a token claims to belong; undefined for no token of ours. */
export function emailProofArtist(token: string): string | undefined {
  const [artistId = ''] = token.split('.');
  return UUID.test(artistId) ? artistId : undefined;
}

/** Whether a token was signed for this artist and email: an earlier email's token is not valid. */
export function isEmailProof(
  secret: Uint8Array,
  token: string,
  artistId: string,
  email: string,
): boolean {
  return isEqual(token, signEmailProof(secret, artistId, email));
}

/** Signs that who opens a link about an appointment reads the mail to its client's email. */
export function signMailToken(secret: Uint8Array, appointmentId: string, email: string): string {
  return sign(secret, 'appointment', appointmentId, email.toLowerCase());
}

export function isMailToken(
  secret: Uint8Array,
  token: string,
  appointmentId: string,
  email: string,
): boolean {
  return isEqual(token, signMailToken(secret, appointmentId, email));
}

/** Whose mail a person stops, and the mailbox that gets no more of it. */
export interface MailStop {
  readonly artistId: string;
  readonly mailboxHash: string;
}

/** A mailbox as the list of stopped ones stores it. */
export function hashMailbox(email: string): string {
  return createHash('sha256')
    .update(toMailbox(email))
    .digest()
    .subarray(0, BYTES)
    .toString('base64url');
}

/** Signs a link that stops mail: `<artist id>.<hash of the mailbox>.<signature>`. Never expires. */
export function signMailStop(secret: Uint8Array, { artistId, mailboxHash }: MailStop): string {
  return `${artistId}.${mailboxHash}.${sign(secret, 'stop mail', artistId, mailboxHash)}`;
}

/** Undefined for a token that we did not sign. */
export function readMailStop(secret: Uint8Array, token: string): MailStop | undefined {
  const [artistId = '', mailboxHash = ''] = token.split('.');
  const stop = { artistId, mailboxHash };
  return UUID.test(artistId) && isEqual(token, signMailStop(secret, stop)) ? stop : undefined;
}

function sign(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret).update(JSON.stringify(parts));
  return hmac.digest().subarray(0, BYTES).toString('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
