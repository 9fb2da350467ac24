import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { Payment } from '#contract/payment.ts';
import { parseAmount, toTypedAmount } from '#domain/money/amount_input.ts';
import { formatMoney, type Money } from '#domain/money/money.ts';
import { PAYMENT_METHODS } from '#domain/money/payment.ts';
import { isDate } from '#domain/studio/studio_time.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { $deletedIds } from '#stores/studio/deferred_deletion.ts';
import { $dialog, openDialog } from '#stores/studio/dialog.ts';
import { notePayment, removePayment } from '#stores/studio/payments.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { Button, LinkButton, TextLink } from '../buttons.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { AmountField } from '../money/PriceFields.tsx';
import type { AppointmentProps } from './appointment_props.ts';
import { formatPayment, PAYMENT_METHOD_LABELS } from './payment_labels.ts';

/** In these statuses nothing is agreed, so there is nothing to pay. */
const WITHOUT_PAYMENTS: readonly Appointment['status'][] = ['requested', 'declined', 'expired'];

/** The payments received for the appointment, and the outstanding part of a fixed price. */
export function Received({ me, appointment }: AppointmentProps) {
  const { id, status } = appointment;
  const deletedIds = useStore($deletedIds);
  const dialog = useStore($dialog);
  const payments = appointment.payments.filter((payment) => !deletedIds.has(payment.id));
  if (payments.length === 0 && WITHOUT_PAYMENTS.includes(status)) return null;
  const outstanding = outstandingOf(appointment, payments);
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
      {outstanding && (
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

/** The outstanding part of a fixed price, if any; payments in other currencies do not count. */
function outstandingOf({ price }: Appointment, payments: readonly Payment[]): Money | null {
  if (price?.kind !== 'fixed') return null;
  const { amount, currency } = price;
  const received = payments
    .filter((payment) => payment.currency === currency)
    .reduce((sum, payment) => sum + payment.amount, 0);
  return received < amount ? { amount: amount - received, currency } : null;
}

interface PaymentDialogProps extends AppointmentProps {
  outstanding: Money | null;
}

function PaymentDialog({ me, appointment, outstanding }: PaymentDialogProps) {
  const currency = appointment.price?.currency ?? me.currency;
  const schema = useMemo(() => paymentSchema(currency), [currency]);

  async function save({ amount, method, received_on }: z.output<typeof schema>): Promise<void> {
    const payment = { amount, currency, method, received_on };
    await notePayment(appointment, payment, `${formatPayment(payment)}.`);
  }

  return (
    <FormDialog
      title="Note a payment"
      schema={schema}
      defaultValues={{
        amount: outstanding ? toTypedAmount(outstanding, visitorLocale()) : '',
        method: 'cash',
        received_on: localDateAt(me.studio, serverNow()),
      }}
      draftName={`pay-${appointment.id}`}
      saveLabel="Note payment"
      onSave={save}
    >
      <p className="mb-3 text-muted">For your own books: no money moves, and nobody is mailed.</p>
      <AmountField name="amount" label="Amount" currency={currency} />
      <SelectField name="method" label="How" texts={PAYMENT_METHOD_LABELS} />
      <TextField name="received_on" label="Day" type="date" required />
    </FormDialog>
  );
}

function paymentSchema(currency: string) {
  return z.object({
    amount: z.pipe(
      z.string(),
      z.transform((typed: string, { issues }) => {
        const { amount, error } = parseAmount(typed, currency, visitorLocale());
        const message = amount === 0 ? 'Must be more than nothing' : error;
        if (message !== undefined) issues.push({ code: 'custom', input: typed, message });
        // A refused amount is never used.
        return amount ?? 0;
      }),
    ),
    method: z.enum(PAYMENT_METHODS, 'Choose one'),
    received_on: z.string().check(z.refine(isDate, 'Pick a day')),
  });
}
