import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Payment } from '#contract/payment.ts';
import { startSession } from '#stores/session.ts';
import { $openAppointment, $urlState, openAppointment } from '#stores/studio/appointments.ts';
import { $deletedIds, sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { notePayment, removePayment } from '#stores/studio/payments.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { createAppointment, toastTexts } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const CASH: Payment = {
  id: 'cash',
  amount: 5000,
  currency: 'USD',
  method: 'cash',
  received_on: '2026-11-24',
};
const PAID = createAppointment({ payments: [CASH] });
const PATH = `appointments/${PAID.id}/payments`;

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object | 'lost';

beforeEach(() => {
  startSession(crypto.randomUUID());
  $toasts.set([]);
  respond = () => PAID;
  calls = stubApi((call) => respond(call));
});
afterEach(async () => {
  await sendDeletionsNow();
  history.replaceState(null, '', '/studio/appointments');
});

const writes = () =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

async function openPaid() {
  onTestFinished($urlState.listen(() => {}));
  openAppointment(PAID.id);
  return reloadStore($openAppointment);
}

test('a refused payment rejects, so that the form shows why', async () => {
  respond = () => problemResponse(409, 'An appointment has at most 50 payments.');
  await expect(
    notePayment(PAID, { amount: 1, currency: 'USD', method: 'cash' }, ''),
  ).rejects.toMatchObject({ detail: 'An appointment has at most 50 payments.' });
  expect(toastTexts()).toEqual([]);
});

test('a payment whose answer was lost is sent again with its key; another one has a key of its own', async () => {
  const payment = { amount: 5000, currency: 'USD', method: 'cash' } as const;
  respond = () => 'lost';
  await expect(notePayment(PAID, payment, '')).rejects.toThrow();
  respond = () => PAID;
  await notePayment(PAID, payment, '');
  await notePayment(PAID, payment, '');
  await notePayment(PAID, { ...payment, amount: 900 }, '');
  const keys = calls.filter(({ method }) => method === 'POST').map((one) => one.idempotencyKey);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
  expect(keys).not.toContain(null);
});

test('a removed payment is hidden, and deleted only when its Undo is over', async () => {
  await openPaid();
  removePayment(PAID, CASH, '$50 in cash');
  expect([writes(), $deletedIds.get().has('cash')]).toEqual([[], true]);
  respond = ({ method }) =>
    method === 'DELETE' ? new Response(null, { status: 204 }) : createAppointment({});
  await sendDeletionsNow();
  expect(writes()).toEqual([`DELETE ${PATH}/cash`]);
  expect($openAppointment.get().data?.payments).toEqual([]);
});
