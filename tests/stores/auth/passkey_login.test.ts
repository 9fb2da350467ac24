import { expect, test, vi } from 'vitest';
import { submitPasskeyLogin } from '#stores/auth/passkey_login.ts';
import { $token } from '#stores/session.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';

const SIGNED = vi.hoisted(() => ({ id: 'key', rawId: 'key', type: 'public-key', response: {} }));
vi.mock('@simplewebauthn/browser', async (original) => ({
  ...(await original()),
  startAuthentication: async () => SIGNED,
}));

test('a login with a passkey stores the token', async () => {
  const calls = stubApi(({ path }) =>
    path.endsWith('options')
      ? { challenge: 'sign this' }
      : { access_token: 'new', token_type: 'bearer', device_token: 'device' },
  );
  expect(await submitPasskeyLogin()).toBeNull();
  expect($token.get()).toBe('new');
  expect(calls).toMatchObject([
    { method: 'POST', path: 'login/passkey/options' },
    { method: 'POST', path: 'login/passkey', body: { id: 'key' } },
  ]);
});

test('a refused passkey gives the reason, and nobody is logged in', async () => {
  stubApi(({ path }) =>
    path.endsWith('options')
      ? { challenge: 'sign this' }
      : problemResponse(400, 'This passkey does not work here.'),
  );
  expect(await submitPasskeyLogin()).toBe('This passkey does not work here.');
  expect($token.get()).toBeUndefined();
});
