import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { fetchMe, recoverPassword, resetPassword } from '#contract/endpoints.ts';

import type { LoginAnswer } from '#contract/login.ts';
import { refusalOf } from '#support/call_api.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { NOT_SIGNED_IN, validationMessages, WRONG_MEDIA_TYPE } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

function postLogin(app: TestApp, username: string, password = PASSWORD) {
  return app.call<LoginAnswer>('POST /login/access-token', { form: { username, password } });
}

test('an artist logs in with their email, ignoring case and surrounding spaces', async () => {
  const app = await openTestApp();
  const { self } = await app.newArtist();
  for (const email of [self.email, self.email.toUpperCase(), ` ${self.email} `]) {
    const { status, body } = await postLogin(app, email);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      access_token: body.access_token,
      token_type: 'bearer',
      device_token: body.device_token,
    });
    const response = await app.call('POST /login/test-token', { token: body.access_token });
    expect(response).toMatchObject({ status: 200, body: self });
  }
});

test('a login with missing or invalid fields is refused with an error for each', async () => {
  const app = await openTestApp();
  const invalid: [Record<string, string>, Record<string, string>][] = [
    [{}, { 'body.username': 'Username is required', 'body.password': 'Password is required' }],
    [{ username: '', password: 'x' }, { 'body.username': 'Username is required' }],
    [{ username: 'rosa', password: 'x' }, { 'body.username': 'Invalid email address' }],
    [{ username: 'rosa@example.com', password: '' }, { 'body.password': 'Password is required' }],
  ];
  for (const [form, expected] of invalid)
    expect(validationMessages(await app.call('POST /login/access-token', { form }))).toEqual(
      expected,
    );
  const json = { username: 'rosa@example.com', password: PASSWORD };
  expect(await app.call('POST /login/access-token', { json })).toMatchObject(WRONG_MEDIA_TYPE);
});

test('a login ignores the other fields of the OAuth 2 password grant', async () => {
  const app = await openTestApp();
  const { self } = await app.newArtist();
  const form = { grant_type: 'password', scope: '', username: self.email, password: PASSWORD };
  expect(await app.call('POST /login/access-token', { form })).toMatchObject({ status: 200 });
});

test('a token of a deleted artist is refused', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  await app.database.deleteFrom('artists').where('id', '=', self.id).execute();
  expect(await refusalOf(call(app.http(token), fetchMe))).toMatchObject(NOT_SIGNED_IN);
});

const SECRET = 'a secret that only tests know';
const NOW = Math.floor(Date.now() / 1000);

/** A token signed with this secret, or unsigned. */
function writeToken(header: object, payload: object, secret: string | null): string {
  const [head, body] = [header, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = `${head}.${body}`;
  const hash = 'alg' in header && header.alg === 'HS512' ? 'sha512' : 'sha256';
  const signature =
    secret === null ? '' : createHmac(hash, secret).update(text).digest('base64url');
  return `${text}.${signature}`;
}

const HS256 = { alg: 'HS256' };
const FORGED: [string, (payload: object, token: string) => string][] = [
  ['signed with another secret', (payload) => writeToken(HS256, payload, 'another secret')],
  ['not signed', (payload) => writeToken({ alg: 'none' }, payload, null)],
  ['signed as none with our secret', (payload) => writeToken({ alg: 'none' }, payload, SECRET)],
  ['signed another way', (payload) => writeToken({ alg: 'HS512' }, payload, SECRET)],
  ['expired', (payload) => writeToken(HS256, { ...payload, exp: NOW - 1 }, SECRET)],
  ['without a version', (payload) => writeToken(HS256, { ...payload, version: undefined }, SECRET)],
  ['without an artist', (payload) => writeToken(HS256, { ...payload, sub: undefined }, SECRET)],
  ['with another audience', (payload) => writeToken(HS256, { ...payload, aud: 'reset' }, SECRET)],
  ['without an audience', (payload) => writeToken(HS256, { ...payload, aud: undefined }, SECRET)],
  ['of another version', (payload) => writeToken(HS256, { ...payload, version: 2 }, SECRET)],
  ['cut off', (_, token) => token.slice(0, -2)],
  ['with another payload', (_, token) => token.replace(/\.(..)/, '.eyJ')],
  ['empty', () => ''],
  ['a word', () => 'undefined'],
  ['far too long', () => 'x'.repeat(20_000)],
];

test('forged, expired and malformed tokens are refused', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  // Of a stored session, so that each is refused for its own reason.
  const { jti } = decodeJwt(token);
  const payload = { sub: self.id, jti, version: 1, aud: 'access', iat: NOW, exp: NOW + 3600 };
  const right = writeToken(HS256, payload, SECRET);
  expect(await app.call('GET /users/me', { token: right })).toMatchObject({ status: 200 });
  for (const [description, forge] of FORGED) {
    const response = await app.call('GET /users/me', { token: forge(payload, token) });
    expect(response, description).toMatchObject(NOT_SIGNED_IN);
    expect(response.headers.get('WWW-Authenticate'), description).toBe('Bearer');
  }
  expect(app.logged).toEqual([]);
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Basic cm9zYTpyb3Nh',
  'TOKEN',
  'Token TOKEN',
  'Bearer TOKEN extra',
])('the header "Authorization: %s" is refused', async (header) => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const headers = { Authorization: header.replace('TOKEN', token) };
  const response = await app.call('GET /users/me', { headers });
  expect(response).toMatchObject(NOT_SIGNED_IN);
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
});

test('the word Bearer is accepted in lower case', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const headers = { Authorization: `bearer ${token}` };
  expect(await app.call('GET /users/me', { headers })).toMatchObject({ status: 200 });
});

test('beyond the limit of wrong passwords a login answers 429 and what to do, until a recovery link lets the browser in', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const { self } = await app.newArtist();
  const logInFrom = (address: string, password: string, headers = {}) =>
    app.call<LoginAnswer>('POST /login/access-token', {
      form: { username: self.email, password },
      address,
      headers,
    });
  for (let n = 0; n < 10; n += 1)
    expect((await logInFrom(`198.51.${n}.1`, 'guess')).status).toBe(400);
  const refused = await logInFrom('203.0.113.7', PASSWORD);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      detail:
        'Too many wrong passwords for this account. Try again in 1 hour, from a browser where you have logged in before, or choose a new password by email.',
    },
  });
  const seconds = Number(refused.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(3500);
  expect(seconds).toBeLessThanOrEqual(3600);
  await call(app.http(), recoverPassword, { path: { email: self.email } });
  const [mail] = await app.mailsAbout(/choose a new password/);
  const [, token = ''] = /token=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  const { device_token } = await call(app.http(), resetPassword, {
    body: { token, new_password: 'battery staple' },
  });
  const known = { 'Device-Token': device_token };
  expect((await logInFrom('203.0.113.7', 'battery staple', known)).status).toBe(200);
  expect(await logInFrom('203.0.113.7', 'battery staple')).toMatchObject({ status: 429 });
});
