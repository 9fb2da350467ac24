import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/http.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { createSubmission } from '#stores/submission.ts';
import { $toasts } from '#stores/toasts.ts';
import { APPOINTMENT_ID, createConfirmation } from '#support/fake_api.ts';

let submission: ReturnType<typeof createSubmission>;

beforeEach(() => {
  sessionStorage.clear();
  $toasts.set([]);
  submission = createSubmission('ana');
});

const told = () => $toasts.get().map(({ text }) => text);
const refuse = (status: number, detail: ApiError['detail']) => () =>
  Promise.reject(new ApiError(status, '', detail));
const item = (loc: (string | number)[], msg: string) => ({ type: 'value', loc, msg });

test('a form that was sent is sent once, and its draft is dropped', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const answer = await submission.submit(async () => createConfirmation({}));
  expect(answer).toEqual({ kind: 'sent', id: APPOINTMENT_ID });
  expect(readBookingDraft('ana').requestIdempotencyKey).toBeNull();
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
});

test('a second press while a form is being sent does nothing', async () => {
  const sending = Promise.withResolvers<Confirmation>();
  const first = submission.submit(() => sending.promise);
  expect(submission.$submission.get()).toEqual({ kind: 'sending' });
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
  sending.resolve(createConfirmation({}));
  expect(await first).toMatchObject({ kind: 'sent' });
});

test('a form that came back from the browser’s memory can be sent again', async () => {
  await submission.submit(async () => createConfirmation({}));
  submission.reset();
  expect(await submission.submit(async () => createConfirmation({}))).toMatchObject({
    kind: 'sent',
  });
});

test('invalid fields are shown beside the form, without a toast', async () => {
  const send = refuse(422, [item(['body', 'email'], 'Not an email')]);
  expect(await submission.submit(send)).toEqual({
    kind: 'invalid',
    fields: [{ field: 'email', message: 'Not an email' }],
  });
  expect(told()).toEqual([]);
});

test('an invalid field that the form does not have is a toast', async () => {
  const send = refuse(422, [
    item(['body', 'email'], 'Not an email'),
    item(['body', 'start'], 'Not on the minute'),
    item(['query', 'first_name'], 'Unknown'),
  ]);
  expect(await submission.submit(send)).toMatchObject({
    kind: 'invalid',
    fields: [{ field: 'email' }],
  });
  expect(told()).toEqual(['Not on the minute']);
});

test('a conflict is told apart from other refusals, and the form can be sent again', async () => {
  expect(await submission.submit(refuse(409, 'Taken'))).toEqual({ kind: 'conflict' });
  expect(await submission.submit(refuse(429, 'Too often'))).toEqual({ kind: 'refused' });
  expect(told()).toEqual(['Taken', 'Too often']);
  expect(submission.$submission.get()).toEqual({ kind: 'idle' });
});

test('without an answer the draft stays, and a toast says that another try is safe', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const answer = await submission.submit(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(answer).toEqual({ kind: 'unanswered' });
  expect(told()[0]).toContain('safe to try again');
  expect(readBookingDraft('ana').requestIdempotencyKey).toBe('key-one');
});
