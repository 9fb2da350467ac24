/** What the artist notes that they have received for appointments. */
import type { Appointment } from '#contract/appointment.ts';
import type { NewPayment, PaymentList, PaymentQuery } from '#contract/payment.ts';
import { localDateAt } from '#domain/format_time.ts';
import { MAX_PAYMENTS } from '#domain/list_limits.ts';
import { sumByCurrency } from '#domain/payment.ts';
import { refuse } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import * as payments from '#server/database/payments_received.ts';
import { loadAppointmentRow } from './appointments.ts';
import type { Context } from './context.ts';
import { loadCurrency } from './currency.ts';
import { toAppointment } from './to_appointment.ts';

/**
 * Notes a payment for an appointment in any status.
 * @param key becomes the id of the payment, so that a repeated call notes it once
 * @throws Refusal `not_found`, `too_many_payments`, `idempotency_key_reused`
 */
export async function addPayment(
  context: Context,
  artistId: string,
  appointmentId: string,
  { amount, currency, method, received_on }: NewPayment,
  key?: string,
): Promise<Appointment> {
  // The lock, so that concurrent calls count each other.
  return withCalendarLock(context.database, artistId, async (transaction, now) => {
    const earlier = await loadAppointmentRow(transaction, artistId, appointmentId);
    const known = key === undefined ? undefined : await payments.findPayment(transaction, key);
    if (known) {
      const isSame = known.appointment_id === appointmentId && known.amount === amount;
      if (!isSame) throw refuse('idempotency_key_reused');
      return toAppointment(context.images, earlier, now);
    }
    if ((await payments.countPayments(transaction, appointmentId)) >= MAX_PAYMENTS)
      throw refuse('too_many_payments');
    await payments.insertPayment(transaction, {
      ...(key !== undefined && { id: key }),
      artist_id: artistId,
      appointment_id: appointmentId,
      amount,
      currency: currency ?? (await loadCurrency(transaction, artistId)),
      method,
      received_on: received_on ?? localDateAt(earlier.time_zone, now),
    });
    const row = await loadAppointmentRow(transaction, artistId, appointmentId);
    return toAppointment(context.images, row, now);
  });
}

/** @throws Refusal `not_found` */
export async function deletePayment(
  { database }: Context,
  artistId: string,
  appointmentId: string,
  id: string,
): Promise<void> {
  if (!(await payments.deletePayment(database, { artistId, appointmentId, id })))
    throw refuse('not_found');
}

/** All payments of some dates in the studio's zone, with their sums. */
export async function listPayments(
  { database }: Context,
  artistId: string,
  query: PaymentQuery,
): Promise<PaymentList> {
  const rows = await payments.listPayments(database, artistId, query);
  const data = rows.map((row) => ({
    id: row.id,
    amount: row.amount,
    currency: row.currency,
    method: row.method,
    received_on: row.received_on,
    appointment_id: row.appointment_id,
    start: row.start && toRfc3339(row.start.getTime()),
    client: { id: row.client_id, first_name: row.first_name, last_name: row.last_name },
  }));
  return { data, count: data.length, sums: sumByCurrency(data) };
}
