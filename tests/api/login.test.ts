import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { fetchMe } from '#client/artists.ts';
import { logIn } from '#client/login.ts';
import type { AccessToken } from '#contract/login.ts';
import { refusalOf } from '#support/call_api.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { NOT_SIGNED_IN, validationMessages, WRONG_MEDIA_TYPE } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

function postLogin(app: TestApp, username: string, password = PASSWORD) {
  return app.call<AccessToken>('POST /login/access-token', { form: { username, password } });
}

test('an artist logs in with their email, in any case of letters', async () => {
  const app = await openTestApp();
  const { self } = await app.newArtist();
  for (const email of [self.email, self.email.toUpperCase(), ` ${self.email} `]) {
    const { status, body } = await postLogin(app, email);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ access_token: body.access_token, token_type: 'bearer' });
    const answer = await app.call('POST /login/test-token', { token: body.access_token });
    expect(answer).toMatchObject({ status: 200, body: self });
  }
});

test('a wrong password and an unknown email are told the same', async () => {
  const app = await openTestApp();
  const { self } = await app.newArtist();
  const wrong = await postLogin(app, self.email, 'incorrect horse');
  const unknown = await postLogin(app, 'nobody@example.com');
  expect(wrong.status).toBe(400);
  expect(wrong.body).toStrictEqual({ detail: 'Incorrect email or password' });
  expect(unknown.status).toBe(400);
  expect(unknown.body).toStrictEqual(wrong.body);
});

test('an inactive artist does not log in, and is told so only with the right password', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  await app.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', self.id)
    .execute();
  expect(
    await refusalOf(logIn(app.http(), { username: self.email, password: PASSWORD })),
  ).toMatchObject({
    status: 400,
    body: { detail: 'This account is not active' },
  });
  expect(
    await refusalOf(logIn(app.http(), { username: self.email, password: 'incorrect horse' })),
  ).toMatchObject({
    status: 400,
    body: { detail: 'Incorrect email or password' },
  });
  expect(await refusalOf(fetchMe(app.http(token)))).toMatchObject(NOT_SIGNED_IN);
});

test('a login says what it lacks', async () => {
  const app = await openTestApp();
  const lacking: [Record<string, string>, Record<string, string>][] = [
    [{}, { 'body.username': 'Username is required', 'body.password': 'Password is required' }],
    [{ username: '', password: 'x' }, { 'body.username': 'Username is required' }],
    [{ username: 'rosa', password: 'x' }, { 'body.username': 'Invalid email address' }],
    [{ username: 'rosa@example.com', password: '' }, { 'body.password': 'Password is required' }],
  ];
  for (const [form, expected] of lacking)
    expect(validationMessages(await app.call('POST /login/access-token', { form }))).toEqual(
      expected,
    );
  const json = { username: 'rosa@example.com', password: PASSWORD };
  expect(await app.call('POST /login/access-token', { json })).toMatchObject(WRONG_MEDIA_TYPE);
});

test('the fields that other login forms send along do no harm', async () => {
  const app = await openTestApp();
  const { self } = await app.newArtist();
  const form = { grant_type: 'password', scope: '', username: self.email, password: PASSWORD };
  expect(await app.call('POST /login/access-token', { form })).toMatchObject({ status: 200 });
});

test('tokens end with a new password', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  await app.database
    .updateTable('artists')
    .set({ token_version: 2 })
    .where('id', '=', self.id)
    .execute();
  expect(await refusalOf(fetchMe(app.http(token)))).toMatchObject(NOT_SIGNED_IN);
  const body = await logIn(app.http(), { username: self.email, password: PASSWORD });
  const answer = await app.call('GET /users/me', { token: body.access_token });
  expect(answer).toMatchObject({ status: 200 });
});

test('a token of a deleted artist is no token', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  await app.database.deleteFrom('artists').where('id', '=', self.id).execute();
  expect(await refusalOf(fetchMe(app.http(token)))).toMatchObject(NOT_SIGNED_IN);
});

const SECRET = 'a secret that only tests know';
const NOW = Math.floor(Date.now() / 1000);

/** A token as anyone could write it, signed with a secret or not. */
function write(header: object, payload: object, secret: string | null): string {
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
const FORGED: [string, (sub: string, token: string) => string][] = [
  ['signed with another secret', (sub) => write(HS256, payloadOf(sub), 'another secret')],
  ['not signed', (sub) => write({ alg: 'none' }, payloadOf(sub), null)],
  ['signed as none with our secret', (sub) => write({ alg: 'none' }, payloadOf(sub), SECRET)],
  ['signed another way', (sub) => write({ alg: 'HS512' }, payloadOf(sub), SECRET)],
  ['run out', (sub) => write(HS256, { ...payloadOf(sub), exp: NOW - 1 }, SECRET)],
  ['without a version', (sub) => write(HS256, { ...payloadOf(sub), version: undefined }, SECRET)],
  ['without an artist', () => write(HS256, { ...payloadOf(''), sub: undefined }, SECRET)],
  ['signed for anything else', (sub) => write(HS256, { ...payloadOf(sub), aud: 'reset' }, SECRET)],
  ['signed for nothing', (sub) => write(HS256, { ...payloadOf(sub), aud: undefined }, SECRET)],
  ['of another version', (sub) => write(HS256, { ...payloadOf(sub), version: 2 }, SECRET)],
  ['cut off', (_, token) => token.slice(0, -2)],
  ['with another payload', (_, token) => token.replace(/\.(..)/, '.eyJ')],
  ['empty', () => ''],
  ['a word', () => 'undefined'],
  ['far too long', () => 'x'.repeat(20_000)],
];

function payloadOf(sub: string) {
  return { sub, version: 1, aud: 'access', iat: NOW, exp: NOW + 60 };
}

test('a token that is not ours, or no longer good, is no token', async () => {
  const app = await openTestApp();
  const { self, token } = await app.newArtist();
  const right = write(HS256, payloadOf(self.id), SECRET);
  expect(await app.call('GET /users/me', { token: right })).toMatchObject({ status: 200 });
  for (const [what, forge] of FORGED) {
    const answer = await app.call('GET /users/me', { token: forge(self.id, token) });
    expect(answer, what).toMatchObject(NOT_SIGNED_IN);
    expect(answer.headers.get('WWW-Authenticate'), what).toBe('Bearer');
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
])('the header "Authorization: %s" says nobody', async (header) => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const headers = { Authorization: header.replace('TOKEN', token) };
  const answer = await app.call('GET /users/me', { headers });
  expect(answer).toMatchObject(NOT_SIGNED_IN);
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
});

test('the word bearer may be written in any case of letters', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const headers = { Authorization: `bearer ${token}` };
  expect(await app.call('GET /users/me', { headers })).toMatchObject({ status: 200 });
});
