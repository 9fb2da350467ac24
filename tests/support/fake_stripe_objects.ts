import type { Stripe } from 'stripe';

// Stripe's API objects, with the fields that we use.

export type UnixSeconds = number;

/** Parameters of a call, such as `line_items[0][price]`. */
export type Params = Readonly<Record<string, string>>;

export type StripeCustomer = ReturnType<typeof toCustomer>;
export type StripeCheckoutSession = ReturnType<typeof toCheckout>;
export type StripePortalSession = ReturnType<typeof toPortal>;
export type StripeSubscription = ReturnType<typeof createSubscription>;
export type StripeEvent = ReturnType<typeof toEvent>;

const API_VERSION = '2026-10-28.endive';
export const DAY_SECONDS: UnixSeconds = 24 * 60 * 60;
const MONTH_SECONDS = 30 * DAY_SECONDS;

export function toCustomer(id: string, params: Params, now: UnixSeconds) {
  return {
    id,
    object: 'customer',
    created: now,
    email: params['email'] ?? null,
    name: params['name'] ?? null,
    livemode: false,
    metadata: metadataIn(params),
  };
}

/** An open checkout. */
export function toCheckout(
  id: string,
  customer: string,
  params: Params,
  now: UnixSeconds,
  url: string,
) {
  return {
    id,
    object: 'checkout.session',
    created: now,
    expires_at: now + DAY_SECONDS,
    customer,
    client_reference_id: params['client_reference_id'] ?? null,
    livemode: false,
    metadata: metadataIn(params),
    mode: 'subscription',
    payment_status: 'unpaid' as Stripe.Checkout.Session.PaymentStatus,
    status: 'open' as Stripe.Checkout.Session.Status,
    subscription: null as string | null,
    success_url: params['success_url'] ?? '',
    cancel_url: params['cancel_url'] ?? null,
    url: url as string | null,
  };
}

export function toPortal(
  id: string,
  customer: string,
  params: Params,
  now: UnixSeconds,
  url: string,
) {
  return {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_default',
    created: now,
    customer,
    livemode: false,
    return_url: params['return_url'] ?? null,
    url,
  };
}

export function toEvent(id: string, type: string, object: object, created: UnixSeconds) {
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** A subscription that starts now, with a trial if `trialEnd` is given. */
export function createSubscription(
  id: string,
  customer: string,
  price: string,
  now: UnixSeconds,
  trialEnd: UnixSeconds | null = null,
) {
  return {
    id,
    object: 'subscription',
    created: now,
    start_date: now,
    customer,
    currency: 'usd',
    status: (trialEnd === null ? 'active' : 'trialing') as string,
    cancel_at: null as UnixSeconds | null,
    cancel_at_period_end: false,
    canceled_at: null as UnixSeconds | null,
    ended_at: null as UnixSeconds | null,
    trial_start: trialEnd && now,
    trial_end: trialEnd,
    latest_invoice: null,
    livemode: false,
    metadata: {},
    items: {
      object: 'list',
      data: [
        {
          id: `si_${id}`,
          object: 'subscription_item',
          created: now,
          current_period_start: now,
          current_period_end: trialEnd ?? now + MONTH_SECONDS,
          metadata: {},
          price: { id: price, object: 'price', currency: 'usd' },
          quantity: 1,
          subscription: id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
  };
}

/** The invoice of a subscription for one period. */
export function createInvoice(
  id: string,
  { id: subscription, customer, created }: StripeSubscription,
  amount: number,
  isPaid: boolean,
  now: UnixSeconds,
) {
  return {
    id,
    object: 'invoice',
    created: now,
    customer,
    currency: 'usd',
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    attempted: true,
    billing_reason: created === now ? 'subscription_create' : 'subscription_cycle',
    livemode: false,
    status: isPaid ? 'paid' : 'open',
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: null, subscription },
    },
  };
}

/** The names and values of `metadata[…]`. */
function metadataIn(params: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([param, value]) => {
      const [, key] = param.match(/^metadata\[(\w+)\]$/) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}
