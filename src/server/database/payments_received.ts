/** What the artist has received for appointments. */
import { type Insertable, sql } from 'kysely';
import type { LocalDate } from '#domain/calendar_date.ts';
import type { PaymentMethod } from '#domain/payment.ts';
import type { Database } from './connect.ts';
import type { PaymentsReceived } from './tables.ts';

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

export async function insertPayment(database: Database, payment: Insertable<PaymentsReceived>) {
  await database.insertInto('payments_received').values(payment).execute();
}

/** Finds a payment of any artist, whose ids are unique among all. */
export function findPayment(database: Database, id: string) {
  return database
    .selectFrom('payments_received')
    .select(['appointment_id', sql<number>`amount::float8`.as('amount')])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns false when this appointment of the artist has no such payment */
export async function deletePayment(
  database: Database,
  payment: { readonly artistId: string; readonly appointmentId: string; readonly id: string },
): Promise<boolean> {
  const { artistId, appointmentId, id } = payment;
  const { numDeletedRows } = await database
    .deleteFrom('payments_received')
    .where('id', '=', id)
    .where('appointment_id', '=', appointmentId)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many payments an appointment has. */
export async function countPayments(database: Database, appointmentId: string): Promise<number> {
  const { count } = await database
    .selectFrom('payments_received')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists the artist's payments of the dates from `first` to `last`, both included, the oldest first. */
export function listPayments(
  database: Database,
  artistId: string,
  { first, last }: { readonly first: LocalDate; readonly last: LocalDate },
) {
  return database
    .selectFrom('payments_received')
    .innerJoin('appointments', 'appointments.id', 'payments_received.appointment_id')
    .select([
      'payments_received.id',
      // Of at most MAX_AMOUNT (`domain/money.ts`): a number holds it exactly.
      sql<number>`payments_received.amount::float8`.as('amount'),
      'payments_received.currency',
      'payments_received.method',
      'payments_received.received_on',
      'payments_received.appointment_id',
      'appointments.client_id',
      'appointments.first_name',
      'appointments.last_name',
    ])
    .select(({ selectFrom }) =>
      selectFrom('appointment_times')
        .select(sql<Date>`min(lower(during))`.as('start'))
        .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
        .as('start'),
    )
    .where('payments_received.artist_id', '=', artistId)
    .where('payments_received.received_on', '>=', first)
    .where('payments_received.received_on', '<=', last)
    .orderBy('payments_received.received_on')
    .orderBy('payments_received.created_at')
    .orderBy('payments_received.id')
    .execute();
}
