import * as z from 'zod/mini';
import { SUBSCRIPTION_STATUSES } from '#domain/accounts/subscription.ts';
import { namedObject, TimestampOutput } from './common.ts';

/** An artist's trial or subscription. */
export const Subscription = namedObject('Subscription', {
  status: z
    .enum(SUBSCRIPTION_STATUSES)
    .check(
      z.describe(
        'As Stripe names it. Before a subscription: `trialing` in the trial, `canceled` after it',
      ),
    ),
  current_period_end: z
    .nullable(TimestampOutput)
    .check(z.describe('The end of the paid time or of the trial, past or future')),
  cancel_at_period_end: z.boolean(),
  is_trial: z
    .boolean()
    .check(z.describe('Whether there is only the trial, running or ended, and no subscription')),
  grace_until: z
    .nullable(TimestampOutput)
    .check(z.describe('After a failed payment: until when bookings stay open')),
  allows_bookings: z.boolean().check(z.describe('Whether clients can book, while books are open')),
});
export type Subscription = z.output<typeof Subscription>;

/** A page of Stripe, to be opened in the browser. */
export const PaymentPage = namedObject('ProviderPage', {
  url: z.string().check(z.meta({ format: 'uri' })),
});
export type PaymentPage = z.output<typeof PaymentPage>;

/** Our response to a webhook event of Stripe. */
export const WebhookReceipt = namedObject('CallbackTaken', { received: z.literal(true) });
