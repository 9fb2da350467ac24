import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { readHold } from '#stores/saved_hold.ts';
import { createSubmission } from '#stores/submission.ts';
import { $toasts, showToastFromLastPage } from '#stores/toasts.ts';
import { APPOINTMENT_ID, createConfirmation } from '#support/fake_api.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';
const TIME_TAKEN = 'That time is no longer available. Please pick another.';
const NEAREST = [{ start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' }];

let submission: ReturnType<typeof createSubmission>;

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  $toasts.set([]);
  submission = createSubmission('ana', DESIGN_ID);
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
  submission.resetSubmission();
  expect(await submission.submit(async () => createConfirmation({}))).toMatchObject({
    kind: 'sent',
  });
});

test('a bug of the server is told as ours, with the reference, and what the client typed stays', async () => {
  const error = new ApiError(500, '', 'Something went wrong.', undefined, [], 'd2fe54ec93-9e');
  await submission.submit(() => Promise.reject(error));
  expect(toastMessages()).toEqual([
    'That was our fault, not yours. (Reference: d2fe54ec93-9e) Everything you typed is still here and it is safe to try again.',
  ]);
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
  const conflict = { kind: 'conflict', reason: 'other', nearest: [], alike: [] };
  expect(await submission.submit(rejectWith(409, 'Taken'))).toEqual(conflict);
  expect(await submission.submit(rejectWith(429, 'Too often'))).toEqual({ kind: 'refused' });
  // The first one went away with the second try.
  expect(toastMessages()).toEqual(['Too often']);
  expect(submission.$submission.get()).toBe('idle');
});

test('without an answer the draft stays, and a toast says that it is safe to try again', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const result = await submission.submit(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(result).toEqual({ kind: 'unanswered' });
  expect(toastMessages()[0]).toContain('safe to try again');
  expect(readBookingDraft('ana').requestIdempotencyKey).toBe('key-one');
});

test('a taken time comes with the nearest free ones', async () => {
  const error = new ApiError(409, '', TIME_TAKEN, undefined, NEAREST);
  expect(await submission.submit(() => Promise.reject(error))).toEqual({
    kind: 'conflict',
    reason: 'time_taken',
    nearest: NEAREST,
    alike: [],
  });
  expect(toastMessages()).toEqual([TIME_TAKEN]);
});

test.each([
  [409, 'This service is no longer available. Please choose again.', 'service_gone'],
  [409, 'This design is no longer available.', 'design'],
  [
    422,
    [{ ...invalidField(['body', 'end'], 'Please choose again.'), type: 'service_changed' }],
    'service_changed',
  ],
] as const)(
  'a %i about the service or the design is named to the form: %j',
  async (status, detail, reason) => {
    const send = rejectWith(status, typeof detail === 'string' ? detail : [...detail]);
    expect(await submission.submit(send)).toMatchObject({ kind: 'conflict', reason });
  },
);

test('a refused design comes with the designs that are like it, until the client goes on without', async () => {
  const alike = [{ id: 'moth', name: 'Moth', file_url: '/media/moth.jpg' }];
  const text = 'This design is no longer available.';
  const error = new ApiError(409, '', text, undefined, [], undefined, alike);
  await submission.submit(() => Promise.reject(error));
  expect(submission.$design.get().alike).toEqual(alike);
  submission.dropDesign();
  expect(submission.$design.get()).toEqual({ id: null, isGone: false, alike: [] });
});

test('a refused design stays until the client goes on without it', async () => {
  const sent: unknown[] = [];
  await submission.submit(rejectWith(409, 'This design is no longer available.'));
  expect(submission.$design.get()).toEqual({ id: DESIGN_ID, isGone: true, alike: [] });
  submission.dropDesign();
  await submission.submit(async (_, { design_id }) => {
    sent.push(design_id);
    return createConfirmation({});
  });
  expect(sent).toEqual([null]);
});

test('a new request replaces the client’s earlier unconfirmed hold', async () => {
  const replaced: unknown[] = [];
  const send: Parameters<typeof submission.submit>[0] = async (_, { replaces }) => {
    replaced.push(replaces);
    return createConfirmation({});
  };
  await submission.submit(send);
  submission.resetSubmission();
  await submission.submit(send);
  expect(replaced).toEqual([null, APPOINTMENT_ID]);
});

test('a request, which reserves no time, is never replaced', async () => {
  await submission.submit(async () => createConfirmation({ status: 'requested' }));
  expect(readHold('ana')).toBeNull();
});

test('the next page says that the first version was kept, if the details were edited after a lost answer', async () => {
  await submission.submit(async () => createConfirmation({ differs_from_request: true }));
  expect(toastMessages()).toEqual([]);
  showToastFromLastPage();
  expect($toasts.get().map(({ title }) => title)).toEqual(['Your first version was kept.']);
});
