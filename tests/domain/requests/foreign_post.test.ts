import { expect, test } from 'vitest';
import { isForeignPost } from '#domain/requests/foreign_post.ts';

const TRUSTED = ['https://book.example.com', 'https://studio.example.com'];
const ID = '3f0e9a52-4f9d-4d8e-9d55-0d8f0b6f7c11';

function isForeign(
  address: string,
  sent: { site?: string; origin?: string; host?: string },
  method = 'POST',
) {
  const headers = new Headers({ Host: sent.host ?? 'book.example.com' });
  if (sent.site !== undefined) headers.set('Sec-Fetch-Site', sent.site);
  if (sent.origin !== undefined) headers.set('Origin', sent.origin);
  return isForeignPost({ method, url: `http://book.example.com${address}`, headers }, TRUSTED);
}

test.each([
  ['another site', { site: 'cross-site', origin: 'https://evil.example' }],
  ['another subdomain', { site: 'same-site', origin: 'https://evil.example.com' }],
  ['a frame without origin', { site: 'cross-site', origin: 'null' }],
  ['another site on plain HTTP', { origin: 'http://evil.example' }],
  ['another port on plain HTTP', { origin: 'http://book.example.com:8080' }],
  ['a frame without origin on plain HTTP', { origin: 'null' }],
  ['an origin that is none', { origin: '*' }],
])('a post of %s is foreign', (_page, headers) => {
  expect(isForeign('/ana/contact', headers)).toBe(true);
  expect(isForeign('/api/v1/users/me', headers, 'DELETE')).toBe(true);
  expect(isForeign('/ana/contact', headers, 'GET')).toBe(false);
});

test.each([
  ['a program, which sends neither header', {}],
  ['our own page', { site: 'same-origin', origin: 'https://book.example.com' }],
  ['our own page without referrer', { site: 'same-origin', origin: 'null' }],
  ['a reload', { site: 'none' }],
  ['our own page on plain HTTP', { origin: 'http://book.example.com' }],
  [
    'our own page behind a proxy that names the port',
    { origin: 'http://studio.lan', host: 'Studio.lan:80' },
  ],
  ['an allowed origin', { site: 'same-site', origin: 'https://studio.example.com' }],
  ['an allowed origin on plain HTTP', { origin: 'https://studio.example.com' }],
])('a post of %s is ours', (_page, headers) => {
  expect(isForeign('/ana/contact', headers)).toBe(false);
});

test('`Origin: null` posts only under an unguessable id or token', () => {
  const post = (address: string) => isForeign(address, { origin: 'null' });
  const secret = [`/ana/confirmation/${ID}`, `/api/v1/appointments/confirmation/${ID}/cancel`];
  for (const address of [
    ...secret,
    '/stop-mail',
    '/reset-password?token=t',
    '/ana/contact?draft',
    '/api/v1/reset-password/',
  ])
    expect(post(address), address).toBe(false);
  const guessable = ['/contact?draft', '/ana/contact?draft&links', '/ana/contact?links', '/login'];
  for (const address of [...guessable, '/api/v1/login/access-token'])
    expect(post(address), address).toBe(true);
});

test('mail programs post the link of List-Unsubscribe from anywhere (RFC 8058)', () => {
  const webmail = { site: 'cross-site', origin: 'https://mail.example' };
  expect(isForeign('/api/v1/mail/stop?token=t', webmail)).toBe(false);
});
