/** The payment provider Stripe. Error texts say "the card provider", as our pages do. */

import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { Stripe } from 'stripe';
import * as z from 'zod/mini';
import {
  type CustomerEvent,
  SUBSCRIPTION_STATUSES,
  type SubscriptionSnapshot,
} from '#domain/accounts/subscription.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import type { PaymentProvider, ProviderSubscription } from './payment_provider.ts';

/** Our account at Stripe, by the settings. */
export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly priceId: string;
  /** The origin of a fake Stripe in tests; undefined for Stripe's own API. */
  readonly apiBase: string | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_RETRIES = 1;
/** We refuse an event that was signed longer ago, so that nobody can replay an old event. */
const SIGNATURE_TOLERANCE_SECONDS = 300;
/** Stripe's maximum for one page of a list. */
const PAGE_SIZE = 100;
/** Stripe refuses to cancel a subscription that has ended. */
const ENDED_STATUSES: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** Stripe has refused a request. Its own text is left out: it may contain our key or an email. */
class StripeRejection extends Error {
  readonly code: string;

  constructor(type: string, code: string) {
    super(`The card provider declined: ${type} ${code}`.trimEnd());
    this.name = 'StripeRejection';
    this.code = code;
  }
}

/** Creates the adapter of Stripe's API. It logs each request that fails because Stripe is unavailable. */
export function createStripeProvider(account: StripeAccount, log: Logger): PaymentProvider {
  const stripe = new Stripe(account.secretKey, {
    ...(account.apiBase !== undefined && apiBaseOptions(account.apiBase)),
    maxNetworkRetries: MAX_RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });

  /** Rejects with a Refusal or a StripeRejection in place of an error of Stripe's SDK. */
  const withConvertedErrors = <T>(response: Promise<T>): Promise<T> =>
    response.catch((error: unknown) => {
      throw convertError(error, log);
    });

  /** Resolves to undefined when Stripe does not find the object of the request. */
  const ifFound = <T>(response: Promise<T>): Promise<T | undefined> =>
    withConvertedErrors(response).catch((error: unknown) => {
      if (isResourceMissing(error)) return undefined;
      throw error;
    });

  async function* listSubscriptions(customer?: string): AsyncGenerator<ProviderSubscription> {
    const filter = { status: 'all', limit: PAGE_SIZE, ...(customer && { customer }) } as const;
    try {
      // The SDK loads further pages while this loop runs.
      for await (const subscription of stripe.subscriptions.list(filter))
        yield parseSubscription(subscription);
    } catch (error) {
      throw convertError(error, log);
    }
  }

  const expireCheckout = async (id: string): Promise<void> => {
    try {
      await withConvertedErrors(stripe.checkout.sessions.expire(id));
    } catch (error) {
      // Ignore a rejection: the checkout has ended, or belongs to another Stripe account.
      if (!(error instanceof StripeRejection)) throw error;
    }
  };

  return {
    async createCustomer({ id, name, email, deletedCustomer }) {
      // The idempotency key has a hash of all details, because Stripe refuses a repeated key with other details.
      // It differs from the key that created `deletedCustomer`: for that key, Stripe would return that customer.
      const detailsHash = createHash('sha256')
        .update(JSON.stringify([name, email, deletedCustomer]))
        .digest('hex');
      const customer = await withConvertedErrors(
        stripe.customers.create(
          { name, email, metadata: { artist_id: id } },
          { idempotencyKey: `customer-${id}-${detailsHash}` },
        ),
      );
      return customer.id;
    },
    async hasCustomer(id) {
      const customer = await ifFound(stripe.customers.retrieve(id));
      return customer !== undefined && customer.deleted !== true;
    },
    async openCheckout({ customer, artistId, trialEnds, successUrl, cancelUrl }) {
      const { id, url } = await withConvertedErrors(
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: artistId,
          line_items: [{ price: account.priceId, quantity: 1 }],
          success_url: successUrl,
          cancel_url: cancelUrl,
          ...(trialEnds !== null && {
            subscription_data: { trial_end: Math.floor(trialEnds / 1000) },
          }),
        }),
      );
      if (!url) throw new Error('The card provider opened a checkout without a URL');
      return { id, url };
    },
    expireCheckout,
    async openPortal(customer, returnUrl) {
      const { url } = await withConvertedErrors(
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
      );
      return url;
    },
    parseWebhook(body, signature) {
      verifySignature(stripe, body, signature, account.webhookSecret);
      return parseEvent(body);
    },
    async findSubscription(id) {
      const subscription = await ifFound(stripe.subscriptions.retrieve(id));
      return subscription && parseSubscription(subscription);
    },
    listSubscriptions,
    async cancelSubscriptions(customer) {
      try {
        // One page of the list suffices, as we keep at most one checkout of a customer open.
        const checkouts = await withConvertedErrors(
          stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE_SIZE }),
        );
        for (const { id } of checkouts.data) await expireCheckout(id);
        // Not found if it has ended since it was listed. The others must still be cancelled.
        for await (const { id, snapshot } of listSubscriptions(customer))
          if (!ENDED_STATUSES.has(snapshot.status)) await ifFound(stripe.subscriptions.cancel(id));
      } catch (error) {
        // A customer that was deleted at Stripe has no subscriptions any more.
        if (!isResourceMissing(error)) throw error;
      }
    },
  };
}

function apiBaseOptions(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port !== '' && { port }),
  };
}

/** Any request would fail now: Stripe is down, limits our rate, or refuses our key. */
const UNAVAILABLE_ERRORS = [
  Stripe.errors.StripeConnectionError,
  Stripe.errors.StripeAPIError,
  Stripe.errors.StripeRateLimitError,
  Stripe.errors.StripeAuthenticationError,
  Stripe.errors.StripePermissionError,
];

/**
 * Converts an error of Stripe's SDK. If Stripe is unavailable, logs the error and returns Refusal
 * `billing_unreachable`; else returns a StripeRejection. Returns other errors unchanged.
 */
function convertError(error: unknown, log: Logger): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, statusCode = 'no response', code = '' } = error;
  if (!UNAVAILABLE_ERRORS.some((kind) => error instanceof kind))
    return new StripeRejection(type, code);
  log.error(
    { component: 'Stripe', error: type, status: statusCode, code },
    'A request failed (billing is unavailable)',
  );
  return refuse('billing_unreachable');
}

function isResourceMissing(error: unknown): boolean {
  return error instanceof StripeRejection && error.code === 'resource_missing';
}

function verifySignature(stripe: Stripe, body: string, signature: string, secret: string): void {
  const verifier = stripe.webhooks.signature;
  if (verifier === null) throw new Error('Stripe signatures cannot be verified on this platform');
  try {
    verifier.verifyHeader(body, signature, secret, SIGNATURE_TOLERANCE_SECONDS);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw refuse('webhook_signature_invalid');
    throw error;
  }
  // The library refuses only old signatures: one with a time in the next year would work until then.
  const [, signedAt] = /(?:^|,)t=(\d+)/.exec(signature) ?? [];
  if (Number(signedAt) - Date.now() / 1000 > SIGNATURE_TOLERANCE_SECONDS)
    throw refuse('webhook_signature_invalid');
}

/** The id of an object: Stripe sends the id alone, or the whole object where a request asks for it (`expand`). */
const ExpandableId = z.pipe(
  z.union([z.string(), z.object({ id: z.string() })]),
  z.transform((value) => (typeof value === 'string' ? value : value.id)),
);
const OptionalExpandableId = z.nullish(ExpandableId);
const OptionalUnixSeconds = z.nullish(z.number());

const SubscriptionObject = z.object({
  id: z.string(),
  customer: ExpandableId,
  status: z.enum(SUBSCRIPTION_STATUSES),
  cancel_at_period_end: z.boolean(),
  cancel_at: OptionalUnixSeconds,
  // Stripe's API moved this field into `items` in 2025.
  current_period_end: OptionalUnixSeconds,
  items: z.optional(
    z.object({ data: z.array(z.object({ current_period_end: OptionalUnixSeconds })) }),
  ),
});

const InvoiceObject = z.object({
  customer: OptionalExpandableId,
  // Stripe's API moved this field into `parent` in 2025.
  subscription: OptionalExpandableId,
  parent: z.nullish(
    z.object({ subscription_details: z.nullish(z.object({ subscription: OptionalExpandableId })) }),
  ),
});

const CheckoutObject = z.object({
  customer: OptionalExpandableId,
  subscription: OptionalExpandableId,
  client_reference_id: z.nullish(z.string()),
});

const EventObject = z.object({
  id: z.string().check(z.minLength(1)),
  type: z.string(),
  /** In Unix seconds. */
  created: z.number(),
  data: z.object({ object: z.unknown() }),
});

/** Parses the body of a webhook; undefined for an event that we ignore. @throws InvalidInput when it is malformed */
function parseEvent(body: string): CustomerEvent | undefined {
  const { id, type, created, data } = parseObject(EventObject, parseJson(body));
  const content = parseEventContent(type, data.object);
  return content && { id, happenedAt: created * 1000, ...content };
}

type EventContent = Pick<CustomerEvent, 'customer' | 'subscription' | 'data'>;

/** Our names of the events about a subscription or an invoice. */
const EVENT_KINDS = {
  'customer.subscription.created': 'created',
  'customer.subscription.updated': 'updated',
  'customer.subscription.deleted': 'deleted',
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'payment_failed',
} as const;

function parseEventContent(type: string, object: unknown): EventContent | undefined {
  switch (type) {
    case 'checkout.session.completed': {
      const { customer, subscription, client_reference_id } = parseObject(CheckoutObject, object);
      // Null when this site has not opened the checkout.
      const artistId = z.safeParse(z.guid(), client_reference_id).data ?? null;
      const data = { kind: 'checkout_completed', artistId } as const;
      return customer ? { customer, subscription: subscription ?? null, data } : undefined;
    }
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const { id, customer, snapshot } = parseSubscription(object);
      return { customer, subscription: id, data: { kind: EVENT_KINDS[type], snapshot } };
    }
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const { customer, parent, ...invoice } = parseObject(InvoiceObject, object);
      const subscription = parent?.subscription_details?.subscription ?? invoice.subscription;
      const data = { kind: EVENT_KINDS[type] };
      return customer && subscription ? { customer, subscription, data } : undefined;
    }
    default:
      return undefined;
  }
}

function parseSubscription(object: unknown): ProviderSubscription {
  const subscription = parseObject(SubscriptionObject, object);
  const { id, customer, status, cancel_at, cancel_at_period_end } = subscription;
  // Each item has its own period. We take the latest end as the end of the subscription's period.
  const items = subscription.items?.data ?? [];
  const itemEnds = items
    .map(({ current_period_end }) => current_period_end)
    .filter((end) => typeof end === 'number');
  const periodEndSeconds =
    itemEnds.length > 0 ? Math.max(...itemEnds) : (subscription.current_period_end ?? null);
  const snapshot: SubscriptionSnapshot = {
    status,
    currentPeriodEnd: periodEndSeconds === null ? null : periodEndSeconds * 1000,
    // In Stripe's flexible billing mode, the portal sets only `cancel_at`.
    cancelAtPeriodEnd:
      cancel_at_period_end || (periodEndSeconds !== null && cancel_at === periodEndSeconds),
  };
  return { id, customer, snapshot };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidInput(['body'], 'Not valid JSON');
  }
}

/** Parses an object of Stripe. @throws InvalidInput whose text says "event", even for one of an API response */
function parseObject<T extends z.core.$ZodType>(schema: T, object: unknown): z.output<T> {
  const result = z.safeParse(schema, object);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.map(String).join('.');
  throw new InvalidInput(['body'], `Not an event of the card provider: ${field}`);
}
