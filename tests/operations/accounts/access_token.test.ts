import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { readAccessToken, signAccessToken } from '#server/operations/accounts/access_token.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';

const KEY = Buffer.from('a secret that only tests know');
const KEYS = createTokenKeys(KEY);
const ANA = 'b7f6a5a0-0000-4000-8000-000000000001';
const SESSION = 'b7f6a5a0-0000-4000-8000-000000000002';
const NOT_SIGNED_IN = { reason: 'not_signed_in' };

test('a token that names no session is refused', async () => {
  const token = new SignJWT({ version: 3 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ANA)
    .setAudience('access');
  await expect(readAccessToken(KEYS, await token.sign(KEY))).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('changing the key logs nobody out while the key before is set', async () => {
  const token = await signAccessToken(KEYS, { artistId: ANA, version: 1, sessionId: SESSION });
  const newKey = Buffer.from('the next secret of this server');
  const changed = await readAccessToken(createTokenKeys(newKey, KEY), token);
  expect(changed.sessionId).toBe(SESSION);
  const forgotten = readAccessToken(createTokenKeys(newKey), token);
  await expect(forgotten).rejects.toMatchObject(NOT_SIGNED_IN);
});
