import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { CLIENT_TABLE, PAYMENT_TABLE } from '#contract/csv_rows.ts';
import { toCsv } from '#domain/text/csv.ts';
import { zoneWithOffsets } from '#support/fake_api.ts';
import { createClient } from '#support/fake_schedule_api.ts';

const ZONE = zoneWithOffsets('America/New_York');
const ROSA = createClient({
  phone_number: '+12125550100',
  preferred_contact: 'text',
  appointment_count: 2,
  last_appointment: '2026-11-02T14:05:00Z',
  created_at: '2026-11-01T02:00:00Z',
});

it('a client is one CSV row, with times in the studio’s zone', () => {
  const csv = toCsv(CLIENT_TABLE, [ROSA], ZONE);
  const { data } = Papa.parse(csv, { header: true, skipEmptyLines: true });
  expect(data).toEqual([
    {
      'First name': 'Rosa',
      'Last name': 'Quint',
      Pronouns: '',
      Email: 'rosa@example.com',
      'Phone number': 'tel:+12125550100',
      'Preferred contact': 'Text',
      Appointments: '2',
      'Last appointment': '2026-11-02 09:05',
      'Next appointment': '',
      'Client since': '2026-10-31',
      Notes: '',
      Erased: '',
      Id: ROSA.id,
    },
  ]);
});

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

it('a payment is one CSV row: its amount as a decimal, its appointment in the studio’s zone', () => {
  const yen = { ...PAYMENT, amount: 8000, currency: 'JPY', start: null } as const;
  expect(toCsv(PAYMENT_TABLE, [PAYMENT, yen], ZONE)).toBe(
    [
      '\uFEFFDate,Amount,Currency,Method,First name,Last name,Appointment,Appointment id\r\n',
      '2026-11-24,50.50,USD,cash,"\'=1+1",,2026-11-24 10:00,appointment\r\n',
      '2026-11-24,8000,JPY,cash,"\'=1+1",,,appointment\r\n',
    ].join(''),
  );
});
