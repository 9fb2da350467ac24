import { createHmac, timingSafeEqual } from 'node:crypto';

/** 128 bits cannot be guessed. */
const TOKEN_BYTES = 16;

/** Separates these tokens from others that the same secret signs. */
const PURPOSE = 'mail_token';

/**
 * The token in the links of mails about an appointment. Only a reader of the mailbox knows it, so it
 * proves that the email is the client's.
 */
export function createMailToken(secret: Uint8Array, appointmentId: string, email: string): string {
  return sign(secret, appointmentId, email).toString('base64url');
}

export function isMailToken(
  secret: Uint8Array,
  appointmentId: string,
  email: string,
  token: string,
): boolean {
  const given = Buffer.from(token, 'base64url');
  return given.length === TOKEN_BYTES && timingSafeEqual(given, sign(secret, appointmentId, email));
}

function sign(secret: Uint8Array, appointmentId: string, email: string): Buffer {
  const text = JSON.stringify([PURPOSE, appointmentId, email.toLowerCase()]);
  return createHmac('sha256', secret).update(text).digest().subarray(0, TOKEN_BYTES);
}
