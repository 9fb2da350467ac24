import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/call.ts';
import { createSubmission } from '#stores/submission.ts';
import { $toasts } from '#stores/toasts.ts';
import { createConfirmation } from '#support/fake_api.ts';

let submission: ReturnType<typeof createSubmission>;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  submission = createSubmission('ana', null);
});

const toastMessages = () => $toasts.get().map(({ text }) => text);

test('a challenge is solved, and the form is sent again with the solution', async () => {
  const challenge = await createTask();
  const states: string[] = [];
  submission.$submission.listen((state) => states.push(state));
  const proofs: (string | undefined)[] = [];
  const result = await submission.submit(async (header) => {
    proofs.push(header['proof-of-work']);
    if (proofs.length === 1) throw new ApiError(429, '', 'Solve this', { challenge });
    return createConfirmation({});
  });
  expect(result.kind).toBe('sent');
  expect(states).toEqual(['sending', 'working', 'sent']);
  expect(proofs[0]).toBeUndefined();
  expect(JSON.parse(proofs[1] ?? '')).toMatchObject({ challenge });
});

test('a second refusal is shown, and the form can be sent again', async () => {
  const challenge = await createTask();
  const result = await submission.submit(() =>
    Promise.reject(new ApiError(429, '', 'Too many tries', { challenge })),
  );
  expect(result.kind).toBe('refused');
  expect(toastMessages()).toEqual(['Too many tries']);
  expect(submission.$submission.get()).toBe('idle');
});

test('a browser that cannot compute the proof says so', async () => {
  vi.stubGlobal('isSecureContext', false);
  const challenge = await createTask();
  const result = await submission.submit(() =>
    Promise.reject(new ApiError(429, '', 'Solve this', { challenge })),
  );
  expect(result.kind).toBe('refused');
  expect(toastMessages().join()).toContain('this browser cannot do the check against spam');
});

async function createTask(): Promise<unknown> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 3,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + 60,
    data: { artist: 'ana' },
    hmacSignatureSecret: 'secret',
    hmacKeySignatureSecret: 'other secret',
  });
  return JSON.parse(JSON.stringify(challenge));
}
