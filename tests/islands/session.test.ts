// @vitest-environment happy-dom

import { beforeEach, expect, it, vi } from 'vitest';
import { readMe } from '#client/artists.ts';
import { $token, artistApi, signIn, signOut } from '#stores/session.ts';
import { keepable, takeTyped, typedBy } from '#stores/typed.ts';
import { refusal } from './fake_api.ts';

const ANA = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01';
const BO = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';

let sent: (string | null)[];
let reply: () => Response | Promise<Response>;

beforeEach(() => {
  sent = [];
  reply = () => Response.json({});
  if ($token.get() !== undefined) signOut();
  sessionStorage.clear();
  typedBy(ANA);
  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push(request.headers.get('Authorization'));
    return Promise.resolve(reply());
  });
});

it('the token is held in local storage under the name that the specification gives it', () => {
  signIn('one');
  expect(localStorage.getItem('access_token')).toBe('one');
  signOut();
  expect(localStorage.getItem('access_token')).toBeNull();
});

it('the token goes along when one is held, and nothing when none is', async () => {
  await readMe(artistApi());
  signIn('one');
  await readMe(artistApi());
  expect(sent).toEqual([null, 'Bearer one']);
});

it('a token that the API refuses is dropped', async () => {
  signIn('old');
  reply = () => refusal(401, 'Please log in');
  await expect(readMe(artistApi())).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBeUndefined();
});

it('a refusal of an old token does not end a login that was made meanwhile', async () => {
  signIn('old');
  reply = () => {
    signIn('new');
    return refusal(401, 'Please log in');
  };
  await expect(readMe(artistApi())).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBe('new');
});

it('what was typed when the login ran out is there once afterwards', async () => {
  const forget = keepable('service', () => ({ name: 'Small flash' }));
  await expireNow();
  forget();
  expect(takeTyped('service')).toEqual({ name: 'Small flash' });
  expect(takeTyped('service')).toBeUndefined();
});

it('what one artist typed is not shown to another', async () => {
  const forget = keepable('service', () => ({ name: 'Small flash' }));
  await expireNow();
  forget();
  typedBy(BO);
  expect(takeTyped('service')).toBeUndefined();
});

it('nothing is kept of a form in which nothing was typed, nor when the artist logs out', async () => {
  const forgetBlank = keepable('blank', () => undefined);
  const forget = keepable('service', () => ({ name: 'Small flash' }));
  signIn('one');
  signOut();
  expect(takeTyped('service')).toBeUndefined();
  forget();
  await expireNow();
  forgetBlank();
  expect(sessionStorage.length).toBe(0);
});

it('a token that another tab dropped keeps what was typed in this one', () => {
  const forget = keepable('service', () => ({ name: 'Small flash' }));
  signIn('one');
  localStorage.removeItem('access_token');
  dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }));
  expect($token.get()).toBeUndefined();
  forget();
  expect(takeTyped('service')).toEqual({ name: 'Small flash' });
});

async function expireNow(): Promise<void> {
  signIn('old');
  reply = () => refusal(401, 'Please log in');
  await readMe(artistApi()).catch(() => {});
}
