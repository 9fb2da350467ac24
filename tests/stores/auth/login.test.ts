import { beforeEach, expect, test, vi } from 'vitest';
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

const throwForbidden = () => {
  throw new DOMException('Forbidden', 'SecurityError');
};

test.each([
  // As in Firefox with `dom.storage.enabled` off.
  ['off', null],
  ['forbidden or full', { getItem: throwForbidden, setItem: throwForbidden }],
  [
    'nearly full',
    { getItem: () => null, setItem: (_: string, text: string) => text && throwForbidden() },
  ],
])(
  'where storage is %s, a login asks nothing and returns why it cannot last',
  async (_, storage) => {
    vi.stubGlobal('localStorage', storage);
    expect(await submitLogin(LOGIN)).toMatch(/^This browser stores nothing for our site/);
    expect(calls).toEqual([]);
  },
);

test('a login without an answer returns that the connection was lost', async () => {
  reply = () => 'lost';
  expect(await submitLogin(LOGIN)).toBe('The connection was lost. Please try again.');
});
