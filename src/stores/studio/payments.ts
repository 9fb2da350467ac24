// Payments that the artist has received for an appointment. We move no money.
import type { Appointment } from '#contract/appointment.ts';
import { addPayment, deletePayment } from '#contract/endpoints.ts';
import type { NewPayment, Payment } from '#contract/payment.ts';
import { createIdempotencyKey } from '../idempotency_key.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { $openAppointment } from './appointments.ts';
import { deferDeletion } from './deferred_deletion.ts';
import { nullIfNotFound, revalidate } from './queries.ts';

/** The last payment that was sent without success. Sent again with the same key, it is noted only once. */
let unanswered: { readonly json: string; readonly key: string } | null = null;

/** Notes a payment for an appointment, and shows success. @throws ApiError */
export async function notePayment(
  { id }: Pick<Appointment, 'id'>,
  payment: NewPayment,
  successText: string,
): Promise<void> {
  const json = JSON.stringify([id, payment]);
  const key = unanswered?.json === json ? unanswered.key : createIdempotencyKey();
  unanswered = { json, key };
  const header = { 'idempotency-key': key };
  const path = { appt_id: id };
  const changed = await callAsArtist(addPayment, { path, header, body: payment });
  unanswered = null;
  if ($openAppointment.get().data?.id === id) $openAppointment.mutate(changed);
  revalidate('appointments', 'payments');
  showSuccessToast('Noted.', successText);
}

/** Hides a payment immediately, and deletes it when the toast with Undo closes. The toast names it `name`. */
export function removePayment(
  { id: appt_id }: Pick<Appointment, 'id'>,
  { id }: Pick<Payment, 'id'>,
  name: string,
): void {
  deferDeletion({
    id,
    name,
    async send() {
      const path = { appt_id, payment_id: id };
      // Another tab may have deleted the payment already.
      await callAsArtist(deletePayment, { path }).catch(nullIfNotFound);
      const open = $openAppointment.get().data;
      if (open?.id === appt_id) {
        const payments = open.payments.filter((payment) => payment.id !== id);
        $openAppointment.mutate({ ...open, payments });
      }
      revalidate('appointments', 'payments');
    },
  });
}
