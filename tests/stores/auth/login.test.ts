import { beforeEach, expect, test } from 'vitest';
import { saveLoginEmail, submitLogin, takeLoginEmail } from '#stores/auth/login.ts';
import { $token, endSession } from '#stores/session.ts';
import { type ApiCall, forgetDevice, problemResponse, stubApi } from '#support/fake_api.ts';

const LOGIN = { username: 'ana@example.com', password: 'correct horse' };

let calls: ApiCall[];
let reply: () => Response | object | 'lost';

beforeEach(() => {
  reply = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  calls = stubApi(() => reply());
  sessionStorage.clear();
  forgetDevice();
  if ($token.get() !== undefined) endSession();
});

test('the right password logs the artist in', async () => {
  expect(await submitLogin(LOGIN)).toBeNull();
  expect($token.get()).toBe('one');
  const text = 'username=ana%40example.com&password=correct+horse';
  expect(calls).toMatchObject([{ method: 'POST', path: 'login/access-token', body: { text } }]);
});

test('later logins of a browser carry its device token, also after a logout', async () => {
  await submitLogin(LOGIN);
  expect(localStorage.getItem('device_token')).toBe('known');
  endSession();
  await submitLogin(LOGIN);
  expect(calls.map(({ deviceToken }) => deviceToken)).toEqual([null, 'known']);
});

test('too many wrong passwords return the text of the API, which says what to do', async () => {
  const text = 'Too many wrong passwords for this account. Try again in 12 minutes.';
  reply = () => problemResponse(429, text);
  expect(await submitLogin(LOGIN)).toBe(text);
});

test('a wrong password returns the error of the API', async () => {
  reply = () => problemResponse(400, 'Incorrect email or password');
  expect(await submitLogin(LOGIN)).toBe('Incorrect email or password');
  expect($token.get()).toBeUndefined();
});

test('a login with invalid fields returns a general error', async () => {
  reply = () =>
    problemResponse(422, [{ type: 'value', loc: ['body', 'username'], msg: 'Too long' }]);
  expect(await submitLogin(LOGIN)).toBe('Something went wrong');
});

test('a login without an answer returns that the connection was lost', async () => {
  reply = () => 'lost';
  expect(await submitLogin(LOGIN)).toBe('The connection was lost. Please try again.');
});

test('a saved login email can be taken once', () => {
  saveLoginEmail('ana@example.com');
  expect([takeLoginEmail(), takeLoginEmail()]).toEqual(['ana@example.com', '']);
});
