import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
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

test.each([502, 504])(
  'after a %i the result is unknown: a gateway answered instead of the API',
  async (status) => {
    expect(await submission.submit(rejectWith(status, 'Bad gateway'))).toEqual({
      kind: 'unanswered',
    });
    expect(toastMessages().join()).toContain('it is safe to try again');
  },
);

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
