import * as z from 'zod/mini';
import { PaymentPage, WebhookReceipt } from '#contract/billing.ts';
import { openCheckout, openPortal } from '#server/operations/billing.ts';
import { receiveWebhook } from '#server/operations/payments.ts';
import { artistRoute, publicRoute } from './route.ts';

const createCheckoutSession = artistRoute(
  {
    method: 'post',
    path: '/users/create-checkout-session',
    summary: 'Open the page where the artist subscribes',
    description:
      'What is left of the trial stays free. A page that was opened before is closed. Afterwards the browser comes back to the studio.',
    input: {},
    status: 200,
    response: PaymentPage,
    refusals: ['already_subscribed', 'billing_off', 'billing_unreachable'],
  },
  ({ context, artist }) => openCheckout(context, artist.id, Date.now()),
);

const createBillingPortal = artistRoute(
  {
    method: 'post',
    path: '/users/create-billing-portal',
    summary: 'Open the page where the artist manages their subscription',
    input: {},
    status: 200,
    response: PaymentPage,
    refusals: ['not_subscribed', 'billing_off', 'billing_unreachable'],
  },
  ({ context, artist }) => openPortal(context, artist.id),
);

/** Judged by its signature, which is of every byte. */
const RawEvent = z
  .string()
  .check(z.meta({ override: { type: 'object', description: 'An event of the card provider' } }));

const webhook = publicRoute(
  {
    method: 'post',
    path: '/users/webhook',
    summary: 'What the card provider tells',
    description:
      'Signed in the header `stripe-signature`. Each event counts once, in whatever order they come.',
    input: {
      header: z.object({ 'stripe-signature': z.optional(z.string()) }),
      body: RawEvent,
    },
    bodyKind: 'raw',
    example: {
      id: 'evt_1Pgc76B7WZ01zgkWwyRHS12y',
      object: 'event',
      created: 1796137200,
      type: 'invoice.paid',
      data: {
        object: {
          object: 'invoice',
          customer: 'cus_QXg1o8vcGmoR32',
          parent: { subscription_details: { subscription: 'sub_1Pgc6rB7WZ01zgkWNy0Cn5nw' } },
        },
      },
    },
    status: 200,
    response: WebhookReceipt,
    refusals: ['bad_signature', 'billing_off'],
  },
  async ({ context, header, body }) => {
    await receiveWebhook(context, body, header['stripe-signature'] ?? '');
    return { received: true };
  },
);

export const billing = [createCheckoutSession, createBillingPortal, webhook];
