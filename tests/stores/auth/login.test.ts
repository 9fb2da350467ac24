import { beforeEach, expect, test } from 'vitest';
import { saveLoginEmail, submitLogin, takeLoginEmail } from '#stores/auth/login.ts';
import { $token, endSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

const LOGIN = { username: 'ana@example.com', password: 'correct horse' };

let calls: ApiCall[];
let reply: () => Response | object | 'lost';

beforeEach(() => {
  reply = () => ({ access_token: 'one', token_type: 'bearer' });
  calls = stubApi(() => reply());
  sessionStorage.clear();
  if ($token.get() !== undefined) endSession();
});

test('the right password logs the artist in', async () => {
  expect(await submitLogin(LOGIN)).toBeNull();
  expect($token.get()).toBe('one');
  const text = 'username=ana%40example.com&password=correct+horse';
  expect(calls).toMatchObject([{ method: 'POST', path: 'login/access-token', body: { text } }]);
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
