import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { createPasskey, deletePasskey } from '#stores/studio/passkeys.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

const PASSKEY = {
  id: 'key',
  browser: 'Chrome on Android',
  created_at: '2026-12-01T12:00:00Z',
  last_used_at: null,
};

const create = vi.hoisted(() => vi.fn());
vi.mock('@simplewebauthn/browser', async (original) => ({
  ...(await original()),
  startRegistration: create,
}));

let answer: (call: ApiCall) => Response | object;
let calls: string[];

beforeEach(() => {
  $toasts.set([]);
  calls = [];
  startSession('token');
  stubApi((call) => {
    calls.push(`${call.method} ${call.path}`);
    return call.path.endsWith('options') && call.body['current_password'] !== 'right'
      ? problemResponse(400, 'That is not your current password')
      : answer(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a passkey is made after the password was checked, then added', async () => {
  create.mockResolvedValueOnce({ id: 'key', rawId: 'key', type: 'public-key', response: {} });
  answer = ({ path }) => (path.endsWith('options') ? { challenge: 'sign this' } : PASSKEY);
  expect(await createPasskey('right')).toBe(true);
  expect(calls).toEqual(['POST users/me/passkeys/options', 'POST users/me/passkeys']);
  expect(toastTexts()).toEqual(['Added. You can log in with this passkey now.']);
});

test('with a wrong password the device is not asked', async () => {
  await expect(createPasskey('wrong')).rejects.toMatchObject({ status: 400 });
  expect(create).not.toHaveBeenCalledTimes(2);
  expect(calls).toEqual(['POST users/me/passkeys/options']);
});

test('a person who closes the dialog of the device adds nothing', async () => {
  create.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  answer = () => ({ challenge: 'sign this' });
  expect(await createPasskey('right')).toBe(false);
  expect(toastTexts().join()).toContain('No passkey was used.');
});

test('removing a passkey makes one call, and shows a failure', async () => {
  answer = () => new Response(null, { status: 204 });
  await deletePasskey(PASSKEY);
  expect(calls).toEqual(['DELETE users/me/passkeys/key']);
  answer = () => problemResponse(404, 'Not found');
  await deletePasskey(PASSKEY);
  expect(toastTexts().at(-1)).toBe('Not removed Not found');
});
