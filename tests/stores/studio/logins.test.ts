import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $token, startSession } from '#stores/session.ts';
import { endOtherLogins } from '#stores/studio/logins.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

let answer: (call: ApiCall) => Response | object;
let calls: string[];

beforeEach(() => {
  $toasts.set([]);
  calls = [];
  startSession('token');
  stubApi((call) => {
    calls.push(`${call.method} ${call.path}`);
    return answer(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

test('ending all others stores the new token of this browser', async () => {
  answer = () => ({ access_token: 'newer', token_type: 'bearer' });
  await endOtherLogins();
  expect(calls).toEqual(['POST users/me/sessions/end-others']);
  expect($token.get()).toBe('newer');
});

test('a failure is shown, and the token stays', async () => {
  answer = () => problemResponse(503, 'Not now');
  await endOtherLogins();
  expect(toastTexts()).toEqual(['Not logged out Not now']);
  expect($token.get()).toBe('token');
});
