import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns a function that says whether an `Authorization` header has this token.
 * @param token if undefined, no header has it
 */
export function createTokenCheck(
  token: string | undefined,
): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => false;
  const expected = digestOf(`Bearer ${token}`);
  // Digests have the same length, and their comparison takes the same time, whatever was sent.
  return (authorization) => timingSafeEqual(digestOf(authorization ?? ''), expected);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
