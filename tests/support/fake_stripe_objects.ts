import type { Stripe } from 'stripe';

// Stripe's API objects, with the fields that we use.

export type UnixSeconds = number;

/** Parameters of a call, such as `line_items[0][price]`. */
export type Params = Readonly<Record<string, string>>;

export type StripeCustomer = ReturnType<typeof toCustomer>;
export type StripeCheckoutSession = ReturnType<typeof toCheckout>;
export type StripeSubscription = ReturnType<typeof createSubscription>;
export type StripeEvent = ReturnType<typeof toEvent>;

export const DAY_SECONDS: UnixSeconds = 24 * 60 * 60;
const MONTH_SECONDS = 30 * DAY_SECONDS;

export function toCustomer(id: string, params: Params) {
  return {
    id,
    object: 'customer',
    email: params['email'] ?? null,
    name: params['name'] ?? null,
  };
}

/** An open checkout. */
export function toCheckout(id: string, customer: string, params: Params, url: string) {
  return {
    id,
    object: 'checkout.session',
    customer,
    client_reference_id: params['client_reference_id'] ?? null,
    status: 'open' as Stripe.Checkout.Session.Status,
    subscription: null as string | null,
    success_url: params['success_url'] ?? '',
    cancel_url: params['cancel_url'] ?? null,
    url: url as string | null,
  };
}

export function toEvent(id: string, type: string, object: object, created: UnixSeconds) {
  return { id, object: 'event', created, data: { object }, type };
}

/** A subscription that starts now, with a trial if `trialEnd` is given. */
export function createSubscription(
  id: string,
  customer: string,
  now: UnixSeconds,
  trialEnd: UnixSeconds | null = null,
) {
  return {
    id,
    object: 'subscription',
    customer,
    status: (trialEnd === null ? 'active' : 'trialing') as string,
    cancel_at: null as UnixSeconds | null,
    cancel_at_period_end: false,
    trial_end: trialEnd,
    items: {
      object: 'list',
      data: [{ id: `si_${id}`, current_period_end: trialEnd ?? now + MONTH_SECONDS }],
    },
  };
}

/** The invoice of a subscription for one period. */
export function createInvoice(id: string, { id: subscription, customer }: StripeSubscription) {
  return {
    id,
    object: 'invoice',
    customer,
    parent: { type: 'subscription_details', subscription_details: { subscription } },
  };
}
