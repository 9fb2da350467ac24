import { beforeEach, expect, test } from 'vitest';
import { submitLogin } from '#stores/auth/login.ts';
import { endSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

const LOGIN = { username: 'ana@example.com', password: 'correct horse' };

let calls: ApiCall[];
let reply: () => Response | object | 'lost';

beforeEach(() => {
  reply = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  calls = stubApi(() => reply());
});

test('later logins of a browser carry its device token, also after a logout', async () => {
  await submitLogin(LOGIN);
  expect(localStorage.getItem('device_token')).toBe('known');
  endSession();
  await submitLogin(LOGIN);
  expect(calls.map(({ deviceToken }) => deviceToken)).toEqual([null, 'known']);
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
