import { beforeEach, expect, test } from 'vitest';
import { carryEmail, logInWith, takeEmail } from '#stores/auth/login.ts';
import { $token, signOut } from '#stores/session.ts';
import { type ApiCall, refusal, stubApi } from '#support/fake_api.ts';

const LOGIN = { username: 'ana@example.com', password: 'correct horse' };

let calls: ApiCall[];
let reply: () => Response | object | 'lost';

beforeEach(() => {
  reply = () => ({ access_token: 'one', token_type: 'bearer' });
  calls = stubApi(() => reply());
  sessionStorage.clear();
  if ($token.get() !== undefined) signOut();
});

test('the right password signs the artist in', async () => {
  expect(await logInWith(LOGIN)).toBeNull();
  expect($token.get()).toBe('one');
  const text = 'username=ana%40example.com&password=correct+horse';
  expect(calls).toMatchObject([{ method: 'POST', path: 'login/access-token', body: { text } }]);
});

test('a wrong password is explained in the words of the API', async () => {
  reply = () => refusal(400, 'Incorrect email or password');
  expect(await logInWith(LOGIN)).toBe('Incorrect email or password');
  expect($token.get()).toBeUndefined();
});

test('invalid fields are not spelled out at the login', async () => {
  reply = () => refusal(422, [{ type: 'value', loc: ['body', 'username'], msg: 'Too long' }]);
  expect(await logInWith(LOGIN)).toBe('Something went wrong');
});

test('a login without an answer is a lost connection', async () => {
  reply = () => 'lost';
  expect(await logInWith(LOGIN)).toBe('The connection was lost. Please try again.');
});

test('an email is carried over to the login once', () => {
  carryEmail('ana@example.com');
  expect([takeEmail(), takeEmail()]).toEqual(['ana@example.com', '']);
});
