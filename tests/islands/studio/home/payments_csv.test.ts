import { expect, test } from 'vitest';
import { paymentsCsv, paymentsFileName } from '#islands/studio/home/payments_csv.ts';
import { zoneWithOffsets } from '#support/fake_api.ts';

const PAYMENT = {
  id: 'one',
  amount: 5050,
  currency: 'USD',
  method: 'cash',
  received_on: '2026-11-24',
  appointment_id: 'appointment',
  start: '2026-11-24T15:00:00Z',
  client: { id: 'rosa', first_name: '=1+1', last_name: null },
} as const;

test('a payment is one CSV row: its amount as a decimal, its appointment in the studio’s zone', () => {
  const yen = { ...PAYMENT, amount: 8000, currency: 'JPY', start: null } as const;
  expect(paymentsCsv([PAYMENT, yen], zoneWithOffsets('America/New_York'))).toBe(
    [
      '\uFEFFDate,Amount,Currency,Method,First name,Last name,Appointment,Appointment id\r\n',
      '2026-11-24,50.50,USD,cash,"\'=1+1",,2026-11-24 10:00,appointment\r\n',
      '2026-11-24,8000,JPY,cash,"\'=1+1",,,appointment\r\n',
    ].join(''),
  );
});

test('the file is named after its month', () => {
  expect(paymentsFileName('2026-11')).toBe('received-2026-11.csv');
});
