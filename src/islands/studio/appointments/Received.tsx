import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { Payment } from '#contract/payment.ts';
import { formatMoney, type Money } from '#domain/money.ts';
import { $deletedIds } from '#stores/studio/deferred_deletion.ts';
import { $dialog, openDialog } from '#stores/studio/dialog.ts';
import { removePayment } from '#stores/studio/payments.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { Button, LinkButton, TextLink } from '../buttons.tsx';
import type { AppointmentProps } from './AppointmentActions.tsx';
import { PaymentDialog } from './PaymentDialog.tsx';
import { formatPayment } from './payment_labels.ts';

/** Nothing was agreed yet, or no more. */
const WITHOUT_PAYMENTS: readonly Appointment['status'][] = ['requested', 'declined', 'expired'];

/** What the artist has received for the appointment, and what is outstanding of a fixed price. */
export function Received({ me, appointment }: AppointmentProps) {
  const { id, status, price } = appointment;
  const deletedIds = useStore($deletedIds);
  const dialog = useStore($dialog);
  const payments = appointment.payments.filter((payment) => !deletedIds.has(payment.id));
  if (payments.length === 0 && WITHOUT_PAYMENTS.includes(status)) return null;
  const outstanding = price?.kind === 'fixed' ? outstandingOf({ ...price }, payments) : null;
  return (
    <section aria-labelledby="received" className="grid gap-2 border-t border-line pt-5">
      <h3 id="received" className="text-lg">
        Received
      </h3>
      {payments.length === 0 ? (
        <p className="text-muted">Nothing noted yet.</p>
      ) : (
        <ul aria-labelledby="received" className="grid">
          {payments.map((payment) => (
            <li key={payment.id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span>{formatPayment(payment)}</span>
              <LinkButton
                label="Remove"
                labelEnd={` ${formatPayment(payment)}`}
                onClick={() => removePayment(appointment, payment, formatPayment(payment))}
              />
            </li>
          ))}
        </ul>
      )}
      {outstanding && outstanding.amount > 0 && (
        <p className="font-semibold">
          {`Outstanding: ${formatMoney(outstanding, visitorLocale())}`}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button label="Note a payment" onClick={() => openDialog(`pay ${id}`)} />
        {payments.length > 0 && <TextLink label="All of this month" href="/#received" />}
      </div>
      {dialog === `pay ${id}` && (
        <PaymentDialog me={me} appointment={appointment} outstanding={outstanding} />
      )}
    </section>
  );
}

/** What is left of the price; payments in other currencies do not count. */
function outstandingOf({ amount, currency }: Money, payments: readonly Payment[]): Money {
  const received = payments
    .filter((payment) => payment.currency === currency)
    .reduce((sum, payment) => sum + payment.amount, 0);
  return { amount: amount - received, currency };
}
