import type { Payment } from '#contract/payment.ts';
import { formatMoney } from '#domain/money/money.ts';
import type { PaymentMethod } from '#domain/money/payment.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';

export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  cash: 'Cash',
  card: 'Card',
  transfer: 'Transfer',
  other: 'Another way',
};

const METHOD_PHRASES: Record<PaymentMethod, string> = {
  cash: ' in cash',
  card: ' by card',
  transfer: ' by transfer',
  other: '',
};

/** Such as `$50 in cash`. */
export function formatAmountAndMethod(payment: Omit<Payment, 'id'>): string {
  return `${formatMoney(payment, visitorLocale())}${METHOD_PHRASES[payment.method]}`;
}

/** Such as `Nov 24, 2026`. */
export function formatPaymentDate({ received_on }: Pick<Payment, 'received_on'>): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(received_on));
}

/** Such as `$50 in cash, Nov 24, 2026`. */
export function formatPayment(payment: Omit<Payment, 'id'>): string {
  return `${formatAmountAndMethod(payment)}, ${formatPaymentDate(payment)}`;
}
