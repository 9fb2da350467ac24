import { expect, test } from 'vitest';
import { undoNewEmail } from '#stores/auth/email_undo.ts';
import { takeRecoveryToken } from '#stores/auth/recovery.ts';
import { $token, startSession } from '#stores/session.ts';
import { stubApi } from '#support/fake_api.ts';

test('undoing logs out this browser, and passes the token on to the page of the new password', async () => {
  startSession('of the thief');
  const calls = stubApi(() => ({ message: 'The old email is back.', reset_token: 'reset' }));
  expect(await undoNewEmail('mailed')).toBe(true);
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/undo-email-change', body: { token: 'mailed' } },
  ]);
  expect($token.get()).toBeUndefined();
  expect(takeRecoveryToken()).toBe('reset');
});
