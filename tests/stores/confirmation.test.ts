import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConfirmationStore } from '#stores/confirmation.ts';
import { $toasts } from '#stores/toasts.ts';
import {
  APPOINTMENT_ID,
  createConfirmation,
  fakeBookingApi,
  problemResponse,
} from '#support/fake_api.ts';

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  $toasts.set([]);
  api = fakeBookingApi();
});
afterEach(() => vi.unstubAllGlobals());

const toastMessages = () => $toasts.get().map(({ text }) => text);

test('confirming sends one POST and shows the confirmed appointment', async () => {
  const { $confirmation, confirm } = createConfirmationStore(createConfirmation({}), null);
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  expect(await confirm()).toBe(true);
  expect($confirmation.get().status).toBe('confirmed');
  expect(api.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST appointments/confirmation/${APPOINTMENT_ID}`,
  ]);
});

test('the token of the mailed link is sent with the confirmation', async () => {
  const { confirm } = createConfirmationStore(createConfirmation({}), 'token');
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  await confirm();
  expect(api.calls.map(({ body }) => body)).toEqual([{ mail_token: 'token' }]);
});

test('a second press while confirming sends nothing', async () => {
  const { $isConfirming, confirm } = createConfirmationStore(createConfirmation({}), null);
  const first = confirm();
  expect($isConfirming.get()).toBe(true);
  expect(await confirm()).toBe(false);
  expect(await first).toBe(true);
  expect(api.calls).toHaveLength(1);
  expect($isConfirming.get()).toBe(false);
});

test('a conflict shows its reason and the current state of the appointment', async () => {
  const { $confirmation, confirm } = createConfirmationStore(createConfirmation({}), null);
  api.answerNext(problemResponse(409, 'It was cancelled'));
  api.answerNext(Response.json(createConfirmation({ status: 'cancelled' })));
  expect(await confirm()).toBe(false);
  expect(toastMessages()).toEqual(['It was cancelled']);
  expect($confirmation.get().status).toBe('cancelled');
});

test('the page stays unchanged when reading the appointment after a conflict fails', async () => {
  const { $confirmation, confirm } = createConfirmationStore(createConfirmation({}), null);
  api.answerNext(problemResponse(409, 'It was cancelled'));
  api.answerNext('lost');
  expect(await confirm()).toBe(false);
  expect($confirmation.get().status).toBe('held');
});

test('a lost connection shows that it is safe to try again, and reads nothing', async () => {
  const { confirm } = createConfirmationStore(createConfirmation({}), null);
  api.answerNext('lost');
  expect(await confirm()).toBe(false);
  expect(toastMessages()).toEqual(['The connection was lost. It is safe to try again.']);
  expect(api.calls).toHaveLength(1);
});
