import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { recoverPassword, resetPassword } from '#contract/endpoints.ts';
import type { LoginAnswer } from '#contract/login.ts';
import { linkToken } from '#support/mail_links.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { NOT_SIGNED_IN, validationMessages, WRONG_MEDIA_TYPE } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Logs in with all fields of the OAuth 2 password grant. */
function postLogin(app: TestApp, username: string) {
  const form = { grant_type: 'password', scope: '', username, password: PASSWORD };
  return app.call<LoginAnswer>('POST /login/access-token', { form });
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

test('a token is read only from "Authorization: Bearer TOKEN", in any letter case of Bearer', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const send = (header: string) =>
    app.call('GET /users/me', { headers: { Authorization: header } });
  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'Basic cm9zYTpyb3Nh',
    token,
    `Token ${token}`,
    `Bearer ${token} extra`,
  ]) {
    const response = await send(header);
    expect(response, header).toMatchObject(NOT_SIGNED_IN);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
  expect(await send(`bearer ${token}`)).toMatchObject({ status: 200 });
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
  const token = linkToken(mail, 'reset-password');
  const { device_token } = await call(app.http(), resetPassword, {
    body: { token, new_password: 'battery staple' },
  });
  const known = { 'Device-Token': device_token };
  expect((await logInFrom('203.0.113.7', 'battery staple', known)).status).toBe(200);
  expect(await logInFrom('203.0.113.7', 'battery staple')).toMatchObject({ status: 429 });
});
