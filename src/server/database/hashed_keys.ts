/** Hashes of emails and networks, for lists that only compare them. */
import { createHash } from 'node:crypto';
import { toMailbox } from '#domain/mail/mailbox.ts';

/** Short enough for links, and long enough that nobody finds another text with the same hash. */
const BYTES = 16;

/** The first 16 bytes of the SHA-256 of a text, in base64url. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, BYTES).toString('base64url');
}

/** The hash of a mailbox: the same for all spellings of an email that reach it (`toMailbox`). */
export function hashMailbox(email: string): string {
  return hashKey(toMailbox(email));
}
