import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { issueDeviceToken, readDeviceToken } from '#server/operations/device_token.ts';
import { signToken } from '#server/operations/login.ts';

const ANA = 'b7f6a5a0-0000-4000-8000-000000000001';
const context = { tokenSecret: new TextEncoder().encode('a secret that only tests know') };

test('a device token names the account and the browser', async () => {
  const token = await issueDeviceToken(context, ANA, 'phone');
  expect(await readDeviceToken(context, token)).toEqual({ artistId: ANA, deviceId: 'phone' });
});

test('each new browser gets an id of its own', async () => {
  const devices = await Promise.all(
    [1, 2].map(async () => readDeviceToken(context, await issueDeviceToken(context, ANA))),
  );
  expect(devices[0]?.deviceId).not.toBe(devices[1]?.deviceId);
});

test('an access token, a forged token and an expired one are no device tokens', async () => {
  const otherSecret = { tokenSecret: new TextEncoder().encode('the secret of someone else') };
  const expired = new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ANA)
    .setJti('phone')
    .setAudience('device')
    .setExpirationTime(1);
  for (const token of [
    await signToken(context.tokenSecret, ANA, 1),
    await issueDeviceToken(otherSecret, ANA),
    await expired.sign(context.tokenSecret),
    'rubbish',
    undefined,
  ])
    expect(await readDeviceToken(context, token)).toBeUndefined();
});
