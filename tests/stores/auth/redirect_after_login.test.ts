import { expect, it } from 'vitest';
import { pathAfterLogin } from '#stores/auth/redirect_after_login.ts';

const redirectTo = (next: string) => pathAfterLogin(`?next=${encodeURIComponent(next)}`);

it.each(['/studio/hours', '/studio/appointments?show=past&id=1#top', '/'])(
  'a login redirects to %s',
  (next) => {
    expect(redirectTo(next)).toBe(next);
  },
);

it.each([
  '',
  'studio/hours',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/studio/..//evil.example/x',
  'javascript:alert(1)',
])('a login does not redirect to %j', (next) => {
  expect(redirectTo(next)).toBe('/');
});
