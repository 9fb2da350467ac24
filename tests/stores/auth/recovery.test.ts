import { beforeEach, expect, test, vi } from 'vitest';
import {
  requestRecoveryLink,
  setNewPassword,
  takeRecoveryToken,
  undoNewEmail,
} from '#stores/auth/recovery.ts';
import { $token, startSession } from '#stores/session.ts';
import { showToastFromLastPage } from '#stores/toasts.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

let calls: ApiCall[];
let reply: () => Response | object | 'lost';

beforeEach(() => {
  reply = () => ({ message: 'Done', device_token: 'known' });
  calls = stubApi(() => reply());
  history.replaceState(null, '', '/reset-password');
});

test('the recovery token is removed from the URL and survives a reload', () => {
  history.replaceState(null, '', '/reset-password?token=secret&lang=en#form');
  expect(takeRecoveryToken()).toBe('secret');
  expect(location.search + location.hash).toBe('?lang=en#form');
  expect(takeRecoveryToken()).toBe('secret');
});

test('the token is empty without a link, and comes from the URL when storage is forbidden', () => {
  expect(takeRecoveryToken()).toBe('');
  vi.stubGlobal('sessionStorage', {
    setItem: () => {
      throw new DOMException('Forbidden', 'SecurityError');
    },
  });
  history.replaceState(null, '', '/reset-password?token=secret');
  expect(takeRecoveryToken()).toBe('secret');
});

test('a new password shows a toast on the next page, and the token is deleted', async () => {
  history.replaceState(null, '', '/reset-password?token=secret');
  expect(await setNewPassword('new password', takeRecoveryToken())).toEqual({ kind: 'done' });
  expect(calls[0]?.body).toEqual({ new_password: 'new password', token: 'secret' });
  expect([takeRecoveryToken(), toastTexts()]).toEqual(['', []]);
  showToastFromLastPage();
  expect(toastTexts()).toEqual(['Success! Password updated successfully.']);
});

test('a browser that has used a recovery link is known at its next login', async () => {
  await setNewPassword('new password', 'secret');
  await requestRecoveryLink('ana@example.com');
  expect(calls.map(({ deviceToken }) => deviceToken)).toEqual([null, 'known']);
});

test('after a lost connection the token can be used again', async () => {
  history.replaceState(null, '', '/reset-password?token=secret');
  reply = () => 'lost';
  expect(await setNewPassword('new password', takeRecoveryToken())).toMatchObject({
    kind: 'failed',
  });
  expect(takeRecoveryToken()).toBe('secret');
});

test('undoing logs out this browser, and passes the token on to the page of the new password', async () => {
  startSession('of the thief');
  reply = () => ({ message: 'The old email is back.', reset_token: 'reset' });
  expect(await undoNewEmail('mailed')).toBe(true);
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/undo-email-change', body: { token: 'mailed' } },
  ]);
  expect($token.get()).toBeUndefined();
  expect(takeRecoveryToken()).toBe('reset');
});
