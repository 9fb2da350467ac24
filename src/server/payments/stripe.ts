import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import * as z from 'zod/mini';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import {
  type PaymentEventData,
  SUBSCRIPTION_STATUSES,
  type SubscriptionSnapshot,
} from '#domain/subscription.ts';
import type { PaymentProvider, ProviderSubscription, WebhookEvent } from './payment_provider.ts';

/** The account at Stripe. */
export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly priceId: string;
  readonly apiBase: string | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_RETRIES = 1;
/** How long after it was signed a callback counts, in seconds. */
const SIGNATURE_TOLERANCE_SECONDS = 300;
const PAGE_SIZE = 100;

/** Subscriptions by Stripe, or by what answers like it at `apiBase`. */
export function createStripeProvider(
  account: StripeAccount,
  log: (line: string) => void,
): PaymentProvider {
  const stripe = new Stripe(account.secretKey, {
    ...(account.apiBase !== undefined && apiBaseOptions(account.apiBase)),
    maxNetworkRetries: MAX_RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });

  /**
   * @throws Refusal `billing_unreachable` when it is away, unwell, or does not know our key
   * @throws Declined when it will not do it
   */
  const reach = async <T>(asking: Promise<T>): Promise<T> => {
    try {
      return await asking;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, statusCode = 'no answer', code = '' } = error;
      if (!isUnavailable(error)) throw new StripeRejection(type, code);
      log(`The card provider cannot be reached: ${type} (${statusCode}) ${code}`.trimEnd());
      throw refuse('billing_unreachable');
    }
  };

  async function* list(customer?: string): AsyncGenerator<ProviderSubscription> {
    let after: string | undefined;
    do {
      const page = await reach(
        stripe.subscriptions.list({
          status: 'all',
          limit: PAGE_SIZE,
          ...(customer !== undefined && { customer }),
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      yield* page.data.map(parseSubscription);
      after = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (after !== undefined);
  }

  const closeCheckout = async (id: string): Promise<void> => {
    try {
      await reach(stripe.checkout.sessions.expire(id));
    } catch (error) {
      // It is over, or was one of another account.
      if (!(error instanceof StripeRejection)) throw error;
    }
  };

  return {
    async createCustomer({ id, name, email, instead }) {
      // The key may not be used again with another name, and must not bring back who is gone.
      const told = createHash('sha256')
        .update(JSON.stringify([name, email, instead]))
        .digest('hex');
      const customer = await reach(
        stripe.customers.create(
          { name, email, metadata: { artist_id: id } },
          { idempotencyKey: `customer-${id}-${told}` },
        ),
      );
      return customer.id;
    },
    async hasCustomer(id) {
      try {
        const customer = await reach(stripe.customers.retrieve(id));
        return customer.deleted !== true;
      } catch (error) {
        if (isResourceMissing(error)) return false;
        throw error;
      }
    },
    async openCheckout({ customer, artistId, trialEnds, successUrl, cancelUrl }) {
      const { id, url } = await reach(
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
      if (!url) throw new Error('The card provider opened a checkout without an address');
      return { id, url };
    },
    expireCheckout: closeCheckout,
    async openPortal(customer, returnUrl) {
      const { url } = await reach(
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
      );
      return url;
    },
    parseWebhook(body, signature) {
      verifySignature(stripe, body, signature, account.webhookSecret);
      return parseEvent(body);
    },
    async findSubscription(id) {
      try {
        return parseSubscription(await reach(stripe.subscriptions.retrieve(id)));
      } catch (error) {
        if (isResourceMissing(error)) return undefined;
        throw error;
      }
    },
    listSubscriptions: list,
    async cancelSubscriptions(customer) {
      try {
        const open = await reach(
          stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE_SIZE }),
        );
        for (const { id } of open.data) await closeCheckout(id);
        for await (const { id, snapshot } of list(customer))
          if (!ENDED_STATUSES.has(snapshot.status)) await reach(stripe.subscriptions.cancel(id));
      } catch (error) {
        // Gone there already.
        if (!isResourceMissing(error)) throw error;
      }
    },
  };
}

const ENDED_STATUSES: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

function apiBaseOptions(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port !== '' && { port }),
  };
}

/** The provider says no. What it says may repeat the key, or an email: only its code is kept. */
class StripeRejection extends Error {
  readonly code: string;

  constructor(type: string, code: string) {
    super(`The card provider declined: ${type} ${code}`.trimEnd());
    this.name = 'Declined';
    this.code = code;
  }
}

function isUnavailable(error: unknown): boolean {
  const { errors } = Stripe;
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError
  );
}

function isResourceMissing(error: unknown): boolean {
  return error instanceof StripeRejection && error.code === 'resource_missing';
}

function verifySignature(stripe: Stripe, body: string, signature: string, secret: string): void {
  const { signature: judge } = stripe.webhooks;
  if (judge === null) throw new Error('Nothing here can judge a signature');
  try {
    judge.verifyHeader(body, signature, secret, SIGNATURE_TOLERANCE_SECONDS);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw refuse('bad_signature');
    throw error;
  }
}

const UnixSeconds = z.number();
/** What is there is its id, or all of it when it was asked for so. */
const ExpandableId = z.pipe(
  z.union([z.string(), z.object({ id: z.string() })]),
  z.transform((ref) => (typeof ref === 'string' ? ref : ref.id)),
);
const OptionalUnixSeconds = z.optional(z.nullable(UnixSeconds));
const OptionalExpandableId = z.optional(z.nullable(ExpandableId));

const SubscriptionObject = z.object({
  id: z.string(),
  customer: ExpandableId,
  status: z.enum(SUBSCRIPTION_STATUSES),
  cancel_at_period_end: z.boolean(),
  cancel_at: OptionalUnixSeconds,
  // Its items have it since 2025; before that it had it itself.
  current_period_end: OptionalUnixSeconds,
  items: z.optional(
    z.object({ data: z.array(z.object({ current_period_end: OptionalUnixSeconds })) }),
  ),
});

const InvoiceObject = z.object({
  customer: OptionalExpandableId,
  // Below `parent` since 2025.
  subscription: OptionalExpandableId,
  parent: z.optional(
    z.nullable(
      z.object({
        subscription_details: z.optional(
          z.nullable(z.object({ subscription: OptionalExpandableId })),
        ),
      }),
    ),
  ),
});

const CheckoutObject = z.object({
  customer: OptionalExpandableId,
  subscription: OptionalExpandableId,
  client_reference_id: z.optional(z.nullable(z.string())),
});

const EventObject = z.object({
  id: z.string().check(z.minLength(1)),
  type: z.string(),
  created: UnixSeconds,
  data: z.object({ object: z.unknown() }),
});

/** @throws InvalidInput when it is signed, and no event such as we know them */
function parseEvent(body: string): WebhookEvent | undefined {
  const { id, type, created, data } = parseObject(EventObject, parseJson(body));
  const told = parseEventObject(type, data.object);
  return told && { id, happenedAt: created * 1000, ...told };
}

interface EventContent {
  readonly customer: string;
  readonly subscription: string | null;
  readonly data: PaymentEventData;
}

function parseEventObject(type: string, object: unknown): EventContent | undefined {
  switch (type) {
    case 'checkout.session.completed': {
      const { customer, subscription, client_reference_id } = parseObject(CheckoutObject, object);
      const { data: artistId = null } = z.safeParse(z.guid(), client_reference_id);
      const fact = { kind: 'checkout_completed', artistId } as const;
      return customer ? { customer, subscription: subscription ?? null, data: fact } : undefined;
    }
    case 'customer.subscription.created':
      return toSubscriptionEvent('created', object);
    case 'customer.subscription.updated':
      return toSubscriptionEvent('updated', object);
    case 'customer.subscription.deleted':
      return toSubscriptionEvent('deleted', object);
    case 'invoice.paid':
      return toInvoiceEvent('paid', object);
    case 'invoice.payment_failed':
      return toInvoiceEvent('payment_failed', object);
    default:
      return undefined;
  }
}

function toSubscriptionEvent(
  kind: 'created' | 'updated' | 'deleted',
  object: unknown,
): EventContent {
  const { id, customer, snapshot } = parseSubscription(object);
  return { customer, subscription: id, data: { kind, snapshot } };
}

/** Undefined for an invoice of anything else. */
function toInvoiceEvent(
  kind: 'paid' | 'payment_failed',
  object: unknown,
): EventContent | undefined {
  const { customer, parent, ...invoice } = parseObject(InvoiceObject, object);
  const subscription = parent?.subscription_details?.subscription ?? invoice.subscription;
  return customer && subscription ? { customer, subscription, data: { kind } } : undefined;
}

function parseSubscription(object: unknown): ProviderSubscription {
  const { id, customer, status, items, ...subscription } = parseObject(SubscriptionObject, object);
  const ends = items?.data.flatMap(({ current_period_end }) => current_period_end ?? []) ?? [];
  const end = ends.length > 0 ? Math.max(...ends) : (subscription.current_period_end ?? null);
  const snapshot: SubscriptionSnapshot = {
    status,
    currentPeriodEnd: end === null ? null : end * 1000,
    // The customer's page sets the moment alone where billing is of the flexible kind.
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end || (end !== null && subscription.cancel_at === end),
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

function parseObject<T extends z.core.$ZodType>(schema: T, object: unknown): z.output<T> {
  const result = z.safeParse(schema, object);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.map(String).join('.');
  throw new InvalidInput(['body'], `Not what the card provider tells: ${where}`);
}
