import { useMemo } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#client/server_clock.ts';
import { parseAmount, toTypedAmount } from '#domain/amount_input.ts';
import { localDateAt } from '#domain/format_time.ts';
import type { Money } from '#domain/money.ts';
import { PAYMENT_METHODS } from '#domain/payment.ts';
import { isDate } from '#domain/studio_time.ts';
import { notePayment } from '#stores/studio/payments.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { AmountField } from '../money/PriceFields.tsx';
import type { AppointmentProps } from './AppointmentActions.tsx';
import { formatPayment, PAYMENT_METHOD_LABELS } from './payment_labels.ts';

interface PaymentDialogProps extends AppointmentProps {
  /** What is left of a fixed price; the form suggests it. */
  outstanding: Money | null;
}

/** Notes what the artist has received for an appointment. */
export function PaymentDialog({ me, appointment, outstanding }: PaymentDialogProps) {
  const currency = appointment.price?.currency ?? me.currency;
  const schema = useMemo(() => paymentSchema(currency, visitorLocale()), [currency]);

  async function save({ amount, method, received_on }: z.output<typeof schema>): Promise<void> {
    const payment = { amount, currency, method, received_on };
    await notePayment(appointment, payment, `${formatPayment(payment)}.`);
  }

  return (
    <FormDialog
      title="Note a payment"
      schema={schema}
      defaultValues={{
        amount:
          outstanding && outstanding.amount > 0 ? toTypedAmount(outstanding, visitorLocale()) : '',
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

function paymentSchema(currency: string, locale: string) {
  return z.object({
    amount: z.pipe(
      z.string(),
      z.transform((typed: string, { issues }) => {
        const { amount, error } = parseAmount(typed, currency, locale);
        const message = amount === 0 ? 'Must be more than nothing' : error;
        if (message !== undefined) issues.push({ code: 'custom', input: typed, message });
        return amount ?? 0;
      }),
    ),
    method: z.enum(PAYMENT_METHODS, 'Choose one'),
    received_on: z.string().check(z.refine(isDate, 'Pick a day')),
  });
}
