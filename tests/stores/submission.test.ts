import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';
import { readHold } from '#stores/saved_hold.ts';
import { createSubmission } from '#stores/submission.ts';
import { $toasts, showToastFromLastPage } from '#stores/toasts.ts';
import { withTypedEmails } from '#stores/typed_email.ts';
import { APPOINTMENT_ID, createConfirmation } from '#support/fake_api.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';

let submission: ReturnType<typeof createSubmission>;

beforeEach(() => {
  submission = createSubmission('ana', DESIGN_ID);
});

const toastMessages = () => $toasts.get().map(({ text }) => text);
const rejectWith = (status: number, detail: ApiError['detail']) => () =>
  Promise.reject(new ApiError(status, '', detail));
const invalidField = (loc: (string | number)[], msg: string) => ({ type: 'value', loc, msg });

test('a form is sent only once, and its draft is deleted afterwards', async () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  const sending = Promise.withResolvers<Confirmation>();
  const first = submission.submit(() => sending.promise);
  expect(submission.$submission.get()).toBe('sending');
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
  sending.resolve(createConfirmation({}));
  expect(await first).toEqual({ kind: 'sent', id: APPOINTMENT_ID });
  expect(readBookingDraft('ana').requestIdempotencyKey).toBeNull();
  expect(await submission.submit(async () => createConfirmation({}))).toEqual({ kind: 'busy' });
});

test('a bug of the server is reported as ours, with the reference, and what the client typed stays', async () => {
  const error = new ApiError(500, '', 'Something went wrong.', { requestId: 'd2fe54ec93-9e' });
  await submission.submit(() => Promise.reject(error));
  expect(toastMessages()).toEqual([
    'That was our fault, not yours. (Reference: d2fe54ec93-9e) Everything you typed is still here and it is safe to try again.',
  ]);
});

test.each([
  // A gateway answered instead of the API.
  ...[502, 504].map((status) => new ApiError(status, '', 'Bad gateway')),
  new TypeError('Failed to fetch'),
])(
  'after %s the result is unknown: the draft stays, and it is safe to try again',
  async (error) => {
    saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
    expect(await submission.submit(() => Promise.reject(error))).toEqual({ kind: 'unanswered' });
    expect(toastMessages().join()).toContain('it is safe to try again');
    expect(readBookingDraft('ana').requestIdempotencyKey).toBe('key-one');
  },
);

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

test('a refused design comes with the designs that are like it, until the client goes on without', async () => {
  const alike = [{ id: 'moth', name: 'Moth', file_url: '/media/moth.jpg' }];
  const error = new ApiError(409, '', '', { reason: 'design_not_available', alike });
  await submission.submit(() => Promise.reject(error));
  expect(submission.$design.get().alike).toEqual(alike);
  submission.dropDesign();
  expect(submission.$design.get()).toEqual({ id: null, isGone: false, alike: [] });
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

test('a repeated request shows its email as it is stored, and not in place of a later one that looks alike', async () => {
  saveBookingDraft('ana', { details: { ...BLANK_DETAILS, email: ' Rosa <rosa@example.com> ' } });
  const change = { what: 'email_changed', by: 'client', at: '2026-12-01T15:00:00Z' } as const;
  const changed = createConfirmation({ history: [{ ...change, start: null }] });
  await submission.submit(async () => changed);
  const shown = [createConfirmation({}), changed].map((one) => withTypedEmails(one).email_hint);
  expect(shown).toEqual(['rosa@example.com', 'r•••@example.com']);
});
