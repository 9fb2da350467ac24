import * as z from 'zod/mini';
import { SUBSCRIPTION_STATUSES } from '#domain/subscription.ts';
import { TimestampOutput } from './common.ts';

/** How the artist's subscription stands. */
export const Subscription = z
  .object({
    status: z.enum(SUBSCRIPTION_STATUSES).check(
      z.meta({
        description:
          'As the card provider names it; `trialing` is the trial from sign-up too, and `canceled` what is left when it ended',
      }),
    ),
    current_period_end: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'When the paid time, or the trial, ends or ended' })),
    cancel_at_period_end: z.boolean(),
    is_trial: z
      .boolean()
      .check(
        z.meta({ description: 'Whether this is the trial from sign-up alone, running or run out' }),
      ),
    grace_until: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'After a failed payment: until when bookings stay open' })),
  })
  .check(z.meta({ id: 'Subscription' }));
export type Subscription = z.output<typeof Subscription>;

/** A page of the card provider, to be opened in the browser. */
export const PaymentPage = z
  .object({ url: z.string().check(z.meta({ format: 'uri' })) })
  .check(z.meta({ id: 'ProviderPage' }));
export type PaymentPage = z.output<typeof PaymentPage>;

/** What the card provider hears when it has told something. */
export const WebhookReceipt = z
  .object({ received: z.literal(true) })
  .check(z.meta({ id: 'CallbackTaken' }));
