import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { createSubmission } from '#stores/submission.ts';
import { $toasts } from '#stores/toasts.ts';
import { APPOINTMENT_ID, createConfirmation } from '#support/fake_api.ts';

let submission: ReturnType<typeof createSubmission>;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  sessionStorage.clear();
  $toasts.set([]);
  submission = createSubmission('ana');
});

const toastMessages = () => $toasts.get().map(({ text }) => text);
const rejectWith = (status: number, detail: ApiError['detail']) => () =>
  Promise.reject(new ApiError(status, '', detail));
const invalidField = (loc: (string | number)[], msg: string) => ({ type: 'value', loc, msg });

test('a form is sent only once, and its draft is deleted afterwards', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const result = await submission.submit(async () => createConfirmation({}));
  expect(result).toEqual({ kind: 'sent', id: APPOINTMENT_ID });
  expect(readBookingDraft('ana').requestIdempotencyKey).toBeNull();
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
});

test('submitting again while a form is being sent does nothing', async () => {
  const sending = Promise.withResolvers<Confirmation>();
  const first = submission.submit(() => sending.promise);
  expect(submission.$submission.get()).toBe('sending');
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
  sending.resolve(createConfirmation({}));
  expect(await first).toMatchObject({ kind: 'sent' });
});

test('a form can be sent again after a reset', async () => {
  await submission.submit(async () => createConfirmation({}));
  submission.reset();
  expect(await submission.submit(async () => createConfirmation({}))).toMatchObject({
    kind: 'sent',
  });
});

test('errors of form fields are returned to the form, without a toast', async () => {
  const send = rejectWith(422, [invalidField(['body', 'email'], 'Not an email')]);
  expect(await submission.submit(send)).toEqual({
    kind: 'invalid',
    fields: [{ field: 'email', message: 'Not an email' }],
  });
  expect(toastMessages()).toEqual([]);
});

test('an error of a field that the form does not have is shown as a toast', async () => {
  const send = rejectWith(422, [
    invalidField(['body', 'email'], 'Not an email'),
    invalidField(['body', 'start'], 'Not on the minute'),
    invalidField(['query', 'first_name'], 'Unknown'),
  ]);
  expect(await submission.submit(send)).toMatchObject({
    kind: 'invalid',
    fields: [{ field: 'email' }],
  });
  expect(toastMessages()).toEqual(['Not on the minute']);
});

test('a conflict differs from other refusals, and the form can be sent again after both', async () => {
  expect(await submission.submit(rejectWith(409, 'Taken'))).toEqual({ kind: 'conflict' });
  expect(await submission.submit(rejectWith(429, 'Too often'))).toEqual({ kind: 'refused' });
  expect(toastMessages()).toEqual(['Taken', 'Too often']);
  expect(submission.$submission.get()).toBe('idle');
});

test('without an answer the draft stays, and a toast says that it is safe to try again', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const result = await submission.submit(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(result).toEqual({ kind: 'unanswered' });
  expect(toastMessages()[0]).toContain('safe to try again');
  expect(readBookingDraft('ana').requestIdempotencyKey).toBe('key-one');
});

test('a challenge is solved, and the form is sent again with the solution', async () => {
  const challenge = await createTask();
  const states: string[] = [];
  submission.$submission.listen((state) => states.push(state));
  const proofs: (string | undefined)[] = [];
  const result = await submission.submit(async (header) => {
    proofs.push(header['proof-of-work']);
    if (proofs.length === 1) throw new ApiError(429, '', 'Solve this', challenge);
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
    Promise.reject(new ApiError(429, '', 'Too many tries', challenge)),
  );
  expect(result.kind).toBe('refused');
  expect(toastMessages()).toEqual(['Too many tries']);
  expect(submission.$submission.get()).toBe('idle');
});

test('a browser that cannot compute the proof says so', async () => {
  vi.stubGlobal('isSecureContext', false);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const challenge = await createTask();
  const result = await submission.submit(() =>
    Promise.reject(new ApiError(429, '', 'Solve this', challenge)),
  );
  expect(result.kind).toBe('refused');
  expect(toastMessages().join()).toContain('this browser cannot show that it is not a program');
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
