/** Payments that artists record as received. We move no money. */
import * as z from 'zod/mini';
import { MAX_AMOUNT } from '#domain/money/money.ts';
import { PAYMENT_METHODS } from '#domain/money/payment.ts';
import { Id, LocalDate, namedInput, namedObject } from './common.ts';
import { Currency, Money } from './price.ts';

export const Payment = namedObject('Payment', {
  id: Id,
  ...Money.shape,
  method: z.enum(PAYMENT_METHODS),
  received_on: z.string().check(z.describe("A date in the studio's time zone")),
});
export type Payment = z.output<typeof Payment>;

const AMOUNT_ERROR = 'Must be more than nothing, in whole minor units such as cents';

export const NewPayment = namedInput('NewPayment', {
  amount: z
    .int(AMOUNT_ERROR)
    .check(z.minimum(1, AMOUNT_ERROR), z.maximum(MAX_AMOUNT, 'This amount is too large')),
  currency: z.optional(Currency).check(z.describe('Unset: that of the artist')),
  method: z._default(z.enum(PAYMENT_METHODS), 'cash'),
  received_on: z.optional(LocalDate).check(z.describe("Unset: today in the studio's time zone")),
});
export type NewPayment = z.output<typeof NewPayment>;

/** The dates from `first` to `last`, both included. */
export const PaymentQuery = z.object({ first: LocalDate, last: LocalDate }).check(
  z.refine(({ first, last }) => first <= last, {
    path: ['last'],
    error: 'Must not be before the first',
  }),
);
export type PaymentQuery = z.output<typeof PaymentQuery>;

/** A payment in the artist's list, with the appointment and client it is for. */
export const ListedPayment = namedObject('ListedPayment', {
  ...Payment.shape,
  appointment_id: Id,
  start: z.nullable(z.string()).check(z.describe('Of the appointment')),
  client: z.object({
    id: Id,
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
  }),
});
export type ListedPayment = z.output<typeof ListedPayment>;

/** All payments of some dates, and their sums by currency. */
export const PaymentList = namedObject('PaymentList', {
  data: z.array(ListedPayment),
  count: z.int(),
  sums: z.array(Money),
});
export type PaymentList = z.output<typeof PaymentList>;
