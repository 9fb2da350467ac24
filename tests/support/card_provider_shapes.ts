/** Objects such as the card provider publishes them, as far as anyone here looks. */

/** Unix seconds, as the provider tells time. */
export type Seconds = number;

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: Seconds;
  readonly email: string | null;
  readonly name: string | null;
  readonly livemode: false;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly created: Seconds;
  readonly expires_at: Seconds;
  readonly customer: string;
  readonly client_reference_id: string | null;
  readonly livemode: false;
  readonly metadata: Readonly<Record<string, string>>;
  readonly mode: 'subscription';
  readonly payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  readonly status: 'open' | 'complete' | 'expired';
  readonly subscription: string | null;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly url: string | null;
}

export interface PortalSession {
  readonly id: string;
  readonly object: 'billing_portal.session';
  readonly configuration: string;
  readonly created: Seconds;
  readonly customer: string;
  readonly livemode: false;
  readonly return_url: string | null;
  readonly url: string;
}

export interface ProviderSubscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly created: Seconds;
  readonly start_date: Seconds;
  readonly customer: string;
  readonly currency: 'usd';
  readonly status: string;
  readonly cancel_at: Seconds | null;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: Seconds | null;
  readonly ended_at: Seconds | null;
  readonly trial_start: Seconds | null;
  readonly trial_end: Seconds | null;
  readonly latest_invoice: string | null;
  readonly livemode: false;
  readonly metadata: Readonly<Record<string, string>>;
  readonly items: List<SubscriptionItem>;
}

interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  readonly created: Seconds;
  readonly current_period_start: Seconds;
  readonly current_period_end: Seconds;
  readonly metadata: Readonly<Record<string, string>>;
  readonly price: { readonly id: string; readonly object: 'price'; readonly currency: 'usd' };
  readonly quantity: number;
  readonly subscription: string;
}

export interface Invoice {
  readonly id: string;
  readonly object: 'invoice';
  readonly created: Seconds;
  readonly customer: string;
  readonly currency: 'usd';
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly attempted: true;
  readonly billing_reason: 'subscription_create' | 'subscription_cycle';
  readonly livemode: false;
  readonly status: 'paid' | 'open';
  readonly parent: {
    readonly type: 'subscription_details';
    readonly quote_details: null;
    readonly subscription_details: { readonly metadata: null; readonly subscription: string };
  };
}

export interface List<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}

/** Something that happened, as it is told to the webhook. */
export interface ProviderEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: Seconds;
  readonly data: { readonly object: object };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: null; readonly idempotency_key: null };
  readonly type: string;
}

export const API_VERSION = '2026-10-28.endive';
export const DAY: Seconds = 24 * 60 * 60;
const MONTH = 30 * DAY;

/** A subscription that begins now; with a trial when it has an end. */
export function aSubscription(
  id: string,
  customer: string,
  price: string,
  now: Seconds,
  trialEnd: Seconds | null = null,
): ProviderSubscription {
  return {
    id,
    object: 'subscription',
    created: now,
    start_date: now,
    customer,
    currency: 'usd',
    status: trialEnd === null ? 'active' : 'trialing',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
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
          current_period_end: trialEnd ?? now + MONTH,
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

/** What a subscription costs for a month. */
export function anInvoice(
  id: string,
  { id: subscription, customer, created }: ProviderSubscription,
  amount: number,
  isPaid: boolean,
  now: Seconds,
): Invoice {
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
