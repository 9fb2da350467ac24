import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ListedPayment, PaymentList } from '#contract/payment.ts';
import { formatMoney } from '#domain/money/money.ts';
import type { YearMonth } from '#domain/time/calendar_date.ts';
import { formatMonth } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $monthPayments,
  $receivedMonth,
  $showsPayments,
  showThisMonth,
  turnMonth,
} from '#stores/studio/home.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { appointmentClientName } from '../appointments/labels.ts';
import { formatAmountAndMethod, formatPaymentDate } from '../appointments/payment_labels.ts';
import { Button } from '../buttons.tsx';
import { Card } from '../Card.tsx';
import { QueryView } from '../LoadableView.tsx';
import { saveFile } from '../save_file.ts';
import { TurnButtons } from '../TurnButtons.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** The payments received in a month; nothing for artists who have recorded none lately. */
export function ReceivedMonth({ zone }: { zone: StudioZone }) {
  const isShown = useStore($showsPayments);
  const month = useStore($receivedMonth);
  useEffect(() => {
    // The link from an appointment: without a payment of this or the last month, the section is hidden.
    if (location.hash === '#received') showThisMonth();
  }, []);
  if (!isShown || month === undefined) return null;
  return (
    <Card id="received" title="Received">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p aria-live="polite" className="font-semibold">
          {formatMonth(month)}
        </p>
        <div className="flex gap-2">
          <TurnButtons unit="month" onTurn={turnMonth} />
        </div>
      </div>
      <QueryView query={$monthPayments} label="payments">
        {(payments) => <Payments payments={payments} month={month} zone={zone} />}
      </QueryView>
    </Card>
  );
}

interface PaymentsProps {
  payments: PaymentList;
  month: YearMonth;
  zone: StudioZone;
}

function Payments({ payments: { data, sums }, month, zone }: PaymentsProps) {
  if (data.length === 0) return <p className="text-muted">Nothing noted.</p>;
  return (
    <>
      {sums.map((sum) => (
        <p key={sum.currency} className="font-serif text-2xl">
          {formatMoney(sum, visitorLocale())}
        </p>
      ))}
      <details>
        <summary className="link flex min-h-11 w-fit cursor-pointer items-center">
          {data.length === 1 ? 'Show the payment' : `Show all ${data.length} payments`}
        </summary>
        <ul aria-labelledby="received" className="grid">
          {data.map((payment) => (
            <AppointmentLink
              key={payment.id}
              href={`/studio/appointments?id=${payment.appointment_id}`}
              name={appointmentClientName({ ...payment.client, email: null })}
              text={formatAmountAndMethod(payment)}
              note={formatPaymentDate(payment)}
            />
          ))}
        </ul>
      </details>
      <Button
        label="Export as CSV"
        className="justify-self-start"
        onClick={() => exportPayments(data, month, zone)}
      />
    </>
  );
}

async function exportPayments(
  payments: readonly ListedPayment[],
  month: YearMonth,
  zone: StudioZone,
): Promise<void> {
  // Most visits to the page export nothing, so this code is loaded on demand.
  const { PAYMENT_TABLE } = await import('#contract/csv_rows.ts');
  const { toCsv } = await import('#domain/text/csv.ts');
  const table = toCsv(PAYMENT_TABLE, payments, zone);
  saveFile(`received-${month}.csv`, table, 'text/csv;charset=utf-8');
}
