import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { readAccessToken, signAccessToken } from '#server/operations/access_token.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';

const KEY = Buffer.from('a secret that only tests know');
const KEYS = createTokenKeys(KEY);
const ANA = 'b7f6a5a0-0000-4000-8000-000000000001';
const SESSION = 'b7f6a5a0-0000-4000-8000-000000000002';
const NOT_SIGNED_IN = { reason: 'not_signed_in' };

/** A token of an earlier version, which names no session. */
function signEarlierToken(expiry: string | undefined): Promise<string> {
  const token = new SignJWT({ version: 3 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ANA)
    .setAudience('access')
    .setIssuedAt();
  return (expiry === undefined ? token : token.setExpirationTime(expiry)).sign(KEY);
}

test('a token of an earlier version has the same session at each use, and another has its own', async () => {
  const [one, other] = [await signEarlierToken('30d'), await signEarlierToken('29d')];
  const claims = await readAccessToken(KEYS, one);
  expect(claims).toMatchObject({ artistId: ANA, version: 3, namesSession: false });
  expect((await readAccessToken(KEYS, one)).sessionId).toBe(claims.sessionId);
  expect((await readAccessToken(KEYS, other)).sessionId).not.toBe(claims.sessionId);
});

test('a token that names no session and never expires is refused', async () => {
  const token = await signEarlierToken(undefined);
  await expect(readAccessToken(KEYS, token)).rejects.toMatchObject(NOT_SIGNED_IN);
  const expired = await signEarlierToken('-1s');
  await expect(readAccessToken(KEYS, expired)).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('changing the key logs nobody out while the key before is set', async () => {
  const token = await signAccessToken(KEYS, { artistId: ANA, version: 1, sessionId: SESSION });
  const newKey = Buffer.from('the next secret of this server');
  const changed = await readAccessToken(createTokenKeys(newKey, KEY), token);
  expect(changed.sessionId).toBe(SESSION);
  const forgotten = readAccessToken(createTokenKeys(newKey), token);
  await expect(forgotten).rejects.toMatchObject(NOT_SIGNED_IN);
});
