/** Payments that the artist records as received for appointments. */
import { sql } from 'kysely';
import type { Appointment } from '#contract/appointment.ts';
import type { NewPayment, PaymentList, PaymentQuery } from '#contract/payment.ts';
import { sumByCurrency } from '#domain/money/payment.ts';
import { refuse } from '#domain/refusal.ts';
import { MAX_PAYMENTS } from '#domain/requests/list_limits.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import type { Transaction } from '#server/database/connect.ts';
import { loadAppointmentRow } from '../appointments/appointments.ts';
import { toAppointment } from '../appointments/to_appointment.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { loadCurrency } from '../currency.ts';

/** The `bigint` as a number, which holds it exactly: it is at most `MAX_AMOUNT`. */
const AMOUNT = sql<number>`payments_received.amount::float8`.as('amount');

/**
 * Notes a payment for an appointment in any status.
 * @param payment its `key` becomes the id of the payment, so that a repeated call notes it once
 */
export async function addPayment(
  context: Context,
  artistId: string,
  appointmentId: string,
  { key, ...received }: NewPayment & { readonly key?: string | undefined },
): Promise<Appointment> {
  // The lock, so that concurrent calls count each other.
  return change(context, calendarScope(artistId, []), async ({ database, images }, now) => {
    const earlier = await loadAppointmentRow(database, artistId, appointmentId);
    const known = key === undefined ? undefined : await findPayment(database, key);
    if (known) {
      const isSame = known.appointment_id === appointmentId && known.amount === received.amount;
      if (!isSame) throw refuse('idempotency_key_reused');
      return toAppointment(images, earlier, now);
    }
    if (earlier.payments.length >= MAX_PAYMENTS) throw refuse('too_many_payments');
    const payment = {
      // Undefined: PostgreSQL creates one.
      id: key,
      artist_id: artistId,
      appointment_id: appointmentId,
      ...received,
      currency: received.currency ?? (await loadCurrency(database, artistId)),
      received_on: received.received_on ?? localDateAt(earlier.time_zone, now),
    };
    await database.insertInto('payments_received').values(payment).execute();
    const row = await loadAppointmentRow(database, artistId, appointmentId);
    return toAppointment(images, row, now);
  });
}

/** Finds a payment of any artist: the ids are unique among all artists. */
function findPayment(transaction: Transaction, id: string) {
  return transaction
    .selectFrom('payments_received')
    .select(['appointment_id', AMOUNT])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function deletePayment(
  { database }: Context,
  artistId: string,
  appointmentId: string,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('payments_received')
    .where('id', '=', id)
    .where('appointment_id', '=', appointmentId)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw refuse('not_found');
}

/** Lists the payments from `first` to `last`, both included, the oldest first, with their sums by currency. */
export async function listPayments(
  { database }: Context,
  artistId: string,
  { first, last }: PaymentQuery,
): Promise<PaymentList> {
  const rows = await database
    .selectFrom('payments_received')
    .innerJoin('appointments', 'appointments.id', 'payments_received.appointment_id')
    .select(['payments_received.id', AMOUNT, 'currency', 'method', 'received_on', 'appointment_id'])
    .select(['client_id', 'first_name', 'last_name'])
    .select(({ selectFrom }) =>
      selectFrom('appointment_times')
        .select(sql<Date>`min(lower(during))`.as('start'))
        .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
        .as('start'),
    )
    .where('payments_received.artist_id', '=', artistId)
    .where('received_on', '>=', first)
    .where('received_on', '<=', last)
    .orderBy('received_on')
    .orderBy('payments_received.created_at')
    .orderBy('payments_received.id')
    .execute();
  const data = rows.map(({ id, amount, currency, method, received_on, ...row }) => ({
    id,
    amount,
    currency,
    method,
    received_on,
    appointment_id: row.appointment_id,
    start: row.start && toRfc3339(row.start.getTime()),
    client: { id: row.client_id, first_name: row.first_name, last_name: row.last_name },
  }));
  return { data, count: data.length, sums: sumByCurrency(data) };
}
