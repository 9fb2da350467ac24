import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { signAccessToken } from '#server/operations/accounts/access_token.ts';
import { issueDeviceToken, readDeviceToken } from '#server/operations/accounts/device_token.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';

const ANA = 'b7f6a5a0-0000-4000-8000-000000000001';
const KEY = Buffer.from('a secret that only tests know');
const context = { tokenKeys: createTokenKeys(KEY) };

test('a device token names the account and the browser', async () => {
  const token = await issueDeviceToken(context, ANA, { deviceId: 'phone', hasLoggedIn: true });
  expect(await readDeviceToken(context, token)).toEqual({
    artistId: ANA,
    deviceId: 'phone',
    hasLoggedIn: true,
    seenAt: expect.any(Number),
  });
});

test('each new browser gets an id of its own', async () => {
  const devices = await Promise.all(
    [1, 2].map(async () =>
      readDeviceToken(context, await issueDeviceToken(context, ANA, { hasLoggedIn: true })),
    ),
  );
  expect(devices[0]?.deviceId).not.toBe(devices[1]?.deviceId);
});

test('an access token, a forged token and an expired one are no device tokens', async () => {
  const other = { tokenKeys: createTokenKeys(Buffer.from('the secret of someone else')) };
  const expired = new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ANA)
    .setJti('phone')
    .setAudience('device')
    .setExpirationTime(1);
  for (const token of [
    await signAccessToken(context.tokenKeys, { artistId: ANA, version: 1, sessionId: ANA }),
    await issueDeviceToken(other, ANA, { hasLoggedIn: true }),
    await expired.sign(KEY),
    'rubbish',
    undefined,
  ])
    expect(await readDeviceToken(context, token)).toBeUndefined();
});

test('a browser that has only used a recovery link has not logged in', async () => {
  const token = await issueDeviceToken(context, ANA, { hasLoggedIn: false });
  expect(await readDeviceToken(context, token)).toMatchObject({ hasLoggedIn: false });
});

test('a token of the key before stays valid while that key is still set', async () => {
  const token = await issueDeviceToken(context, ANA, { hasLoggedIn: true });
  const newKey = Buffer.from('the next secret of this server');
  const changed = { tokenKeys: createTokenKeys(newKey, KEY) };
  expect(await readDeviceToken(changed, token)).toMatchObject({ artistId: ANA });
  const forgotten = { tokenKeys: createTokenKeys(newKey) };
  expect(await readDeviceToken(forgotten, token)).toBeUndefined();
});
