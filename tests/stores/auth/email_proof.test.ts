import { afterEach, expect, test, vi } from 'vitest';
import { confirmEmail, takeLinkToken } from '#stores/auth/email_proof.ts';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';

afterEach(() => {
  history.replaceState(null, '', '/');
  $toasts.set([]);
  vi.unstubAllGlobals();
});

test('the token is taken out of the address bar', () => {
  history.replaceState(null, '', '/prove-email?token=secret');
  expect([takeLinkToken(), location.search, takeLinkToken()]).toEqual(['secret', '', '']);
});

test('a refused token shows the reason', async () => {
  stubApi(() => problemResponse(400, 'This link has been used or has run out.'));
  expect(await confirmEmail('old')).toBe(false);
  expect(JSON.stringify($toasts.get())).toContain('This link has been used or has run out.');
});

test('a valid token confirms the email', async () => {
  stubApi(() => ({ message: 'Your email is confirmed.' }));
  expect(await confirmEmail('good')).toBe(true);
});
