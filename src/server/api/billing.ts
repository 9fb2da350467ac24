import * as z from 'zod/mini';
import { PaymentPage, WebhookReceipt } from '#contract/billing.ts';
import * as endpoints from '#contract/endpoints.ts';
import { openCheckout, openPortal } from '#server/operations/payments/billing.ts';
import { receiveWebhook } from '#server/operations/payments/payments.ts';
import { anyone, artists, route } from './route.ts';

/** Unparsed JSON, because the signature covers the exact text. The API document shows an object. */
const RawEvent = z
  .string()
  .check(z.meta({ override: { type: 'object', description: 'An event of the payment provider' } }));

export const billing = [
  route(endpoints.startCheckout, artists, {
    summary: "Open the payment provider's page where the artist subscribes",
    description:
      "The remaining trial stays free if it exceeds two days. The artist's earlier checkout page becomes invalid. After the payment, the provider sends the browser back to this site.",
    input: {},
    response: PaymentPage,
    refusals: ['already_subscribed', 'billing_off', 'billing_unreachable'],
    handle: ({ context, artist, now }) => openCheckout(context, artist.id, now),
  }),
  route(endpoints.startBillingPortal, artists, {
    summary: "Open the payment provider's page where the artist manages their subscription",
    input: {},
    response: PaymentPage,
    refusals: ['not_subscribed', 'billing_off', 'billing_unreachable'],
    handle: ({ context, artist }) => openPortal(context, artist.id),
  }),
  route(endpoints.receiveWebhook, anyone, {
    summary: 'Receive an event of the payment provider',
    description:
      'The header `stripe-signature` contains the signature. Events may arrive in any order and repeatedly: each is processed once.',
    input: {
      header: z.object({ 'stripe-signature': z.optional(z.string()) }),
      body: RawEvent,
    },
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
    response: WebhookReceipt,
    refusals: ['webhook_signature_invalid', 'billing_off'],
    handle: async ({ context, header, body }) => {
      // A missing signature is refused like an invalid one.
      await receiveWebhook(context, body, header['stripe-signature'] ?? '');
      return { received: true };
    },
  }),
];
