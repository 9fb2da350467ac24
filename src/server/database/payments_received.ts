/** What the artist has received for appointments, as appointments show it. */
import { sql } from 'kysely';
import type { LocalDate } from '#domain/calendar_date.ts';
import type { PaymentMethod } from '#domain/payment.ts';

/** A payment as JSON has it. */
export interface PaymentRow {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly received_on: LocalDate;
}

/** For a statement that selects appointments: their payments, the oldest first. */
export const PAYMENTS = sql<PaymentRow[]>`coalesce((
  SELECT json_agg(json_build_object('id', id, 'amount', amount, 'currency', currency,
    'method', method, 'received_on', received_on) ORDER BY received_on, created_at, id)
  FROM payments_received WHERE appointment_id = appointments.id
), '[]')`.as('payments');
