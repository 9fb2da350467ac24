import { expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import { notePayment } from '#stores/studio/payments.ts';
import { stubApi } from '#support/fake_api.ts';
import { createAppointment } from '#support/fake_schedule_api.ts';

const PAID = createAppointment({});

test('a payment whose answer was lost is sent again with its key; another one has a key of its own', async () => {
  let answer: object | 'lost' = 'lost';
  const calls = stubApi(() => answer);
  startSession('one');
  const payment = { amount: 5000, currency: 'USD', method: 'cash' } as const;
  await expect(notePayment(PAID, payment, '')).rejects.toThrow();
  answer = PAID;
  await notePayment(PAID, payment, '');
  await notePayment(PAID, payment, '');
  await notePayment(PAID, { ...payment, amount: 900 }, '');
  const keys = calls.filter(({ method }) => method === 'POST').map((one) => one.idempotencyKey);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
  expect(keys).not.toContain(null);
});
