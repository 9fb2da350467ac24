import { PAYMENT_TABLE } from '#contract/csv_rows.ts';
import type { ListedPayment } from '#contract/payment.ts';
import type { YearMonth } from '#domain/calendar_date.ts';
import { toCsv } from '#domain/csv.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';

/** Payments as a table for spreadsheets; times in the studio's zone. */
export function paymentsCsv(payments: readonly ListedPayment[], zone: StudioZone): string {
  const { titles, toRow } = PAYMENT_TABLE;
  return toCsv(
    titles,
    payments.map((payment) => toRow(payment, zone)),
  );
}

/** `received-YYYY-MM.csv` */
export function paymentsFileName(month: YearMonth): string {
  return `received-${month}.csv`;
}
