/** Tokens of links that only a mail carries. They are signed, so none of them is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ClientEmailChange } from '#domain/client_email.ts';
import type { TokenKeys } from './token_keys.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** 128 bits cannot be guessed, and the links stay short. */
const BYTES = 16;

/** Signs that an artist can read the mail to an email: `<artist id>.<signature>`. */
export function signEmailProof(keys: TokenKeys, artistId: string, email: string): string {
  return `${artistId}.${sign(keys, 'prove email', artistId, email.toLowerCase())}`;
}

/** The id of the artist to whom a token claims to belong; undefined for no token of ours. */
export function emailProofArtist(token: string): string | undefined {
  const [artistId = ''] = token.split('.');
  return UUID.test(artistId) ? artistId : undefined;
}

/** Whether a token was signed for this artist and email: an earlier email's token is not valid. */
export function isEmailProof(
  keys: TokenKeys,
  token: string,
  artistId: string,
  email: string,
): boolean {
  const [owner, ...signature] = token.split('.');
  return (
    owner === artistId &&
    isSigned(keys, signature.join('.'), 'prove email', artistId, email.toLowerCase())
  );
}

/** Signs that who opens a link about an appointment reads the mail to its client's email. */
export function signMailToken(keys: TokenKeys, appointmentId: string, email: string): string {
  return sign(keys, 'appointment', appointmentId, email.toLowerCase());
}

export function isMailToken(
  keys: TokenKeys,
  token: string,
  appointmentId: string,
  email: string,
): boolean {
  return isSigned(keys, token, 'appointment', appointmentId, email.toLowerCase());
}

/** Signs that the owner of a client's present email wants the appointment's mails at another one. */
export function signClientEmailChange(
  keys: TokenKeys,
  appointmentId: string,
  { from, to }: Pick<ClientEmailChange, 'from' | 'to'>,
): string {
  return sign(keys, ...changeParts(appointmentId, from, to));
}

export function isClientEmailChange(
  keys: TokenKeys,
  token: string,
  appointmentId: string,
  { from, to }: Pick<ClientEmailChange, 'from' | 'to'>,
): boolean {
  return isSigned(keys, token, ...changeParts(appointmentId, from, to));
}

function changeParts(appointmentId: string, from: string, to: string): readonly string[] {
  return ['change client email', appointmentId, from.toLowerCase(), to.toLowerCase()];
}

/** Whose mail a person stops, and the mailbox that gets no more of it. */
export interface MailStop {
  readonly artistId: string;
  readonly mailboxHash: string;
}

/** Signs a link that stops mail: `<artist id>.<hash of the mailbox>.<signature>`. Never expires. */
export function signMailStop(keys: TokenKeys, { artistId, mailboxHash }: MailStop): string {
  return `${artistId}.${mailboxHash}.${sign(keys, 'stop mail', artistId, mailboxHash)}`;
}

/** Undefined for a token that we did not sign. */
export function readMailStop(keys: TokenKeys, token: string): MailStop | undefined {
  const [artistId = '', mailboxHash = '', ...signature] = token.split('.');
  const isOurs =
    UUID.test(artistId) && isSigned(keys, signature.join('.'), 'stop mail', artistId, mailboxHash);
  return isOurs ? { artistId, mailboxHash } : undefined;
}

/** Signs the link that undoes the change of an account's email: `<change id>.<signature>`. */
export function signEmailUndo(keys: TokenKeys, changeId: string): string {
  return `${changeId}.${sign(keys, 'undo email change', changeId)}`;
}

/** The id of the change that a link undoes; undefined for a token that we did not sign. */
export function readEmailUndo(keys: TokenKeys, token: string): string | undefined {
  const [changeId = '', ...signature] = token.split('.');
  const isOurs =
    UUID.test(changeId) && isSigned(keys, signature.join('.'), 'undo email change', changeId);
  return isOurs ? changeId : undefined;
}

/** Signs the link that downloads an export. */
export function signExportLink(keys: TokenKeys, exportId: string): string {
  return sign(keys, 'export', exportId);
}

export function isExportLink(keys: TokenKeys, token: string, exportId: string): boolean {
  return isSigned(keys, token, 'export', exportId);
}

function sign({ signing }: TokenKeys, ...parts: readonly string[]): string {
  return signWith(signing, parts);
}

/** @param signature the rest of a token, so that one with a tail is not signed */
function isSigned(
  { verifying }: TokenKeys,
  signature: string,
  ...parts: readonly string[]
): boolean {
  return verifying.some((key) => isEqual(signature, signWith(key, parts)));
}

function signWith(key: Uint8Array, parts: readonly string[]): string {
  const hmac = createHmac('sha256', key).update(JSON.stringify(parts));
  return hmac.digest().subarray(0, BYTES).toString('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
