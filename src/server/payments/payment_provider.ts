/** A payment provider, such as Stripe. Each `customer` and `subscription` is an id of the provider. */
import type { PaymentEvent, SubscriptionSnapshot } from '#domain/subscription.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time.ts';

/**
 * The shortest trial that a checkout may have. The provider requires 48 hours when our request
 * arrives; five minutes more allow for the time until then.
 */
export const MIN_TRIAL_MS = 48 * HOUR_MS + 5 * MINUTE_MS;

/** A subscription as the provider reports it now. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customer: string;
  readonly snapshot: SubscriptionSnapshot;
}

export interface WebhookEvent extends PaymentEvent {
  readonly customer: string;
  /** Null for a checkout that names no subscription. */
  readonly subscription: string | null;
}

/** Every method that sends a request throws Refusal `billing_unreachable` when the request fails. */
export interface PaymentProvider {
  /** Creates a customer for an artist, and returns its id. Repeated equal calls create only one. */
  createCustomer(artist: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** The artist's former customer id, which the provider has deleted; null if there is none. */
    readonly deletedCustomer: string | null;
  }): Promise<string>;
  /** False for a customer that was deleted, or that belongs to another account at the provider. */
  hasCustomer(customer: string): Promise<boolean>;
  /** Creates a page where the customer subscribes, and returns the page's id and URL. */
  openCheckout(checkout: {
    readonly customer: string;
    readonly artistId: string;
    /** Nothing is charged before this time, at least `MIN_TRIAL_MS` ahead. Null charges at once. */
    readonly trialEnds: Instant | null;
    readonly successUrl: string;
    readonly cancelUrl: string;
  }): Promise<{ readonly id: string; readonly url: string }>;
  /** Closes a checkout page, so that nobody subscribes there. Ignores a page that has ended. */
  expireCheckout(id: string): Promise<void>;
  /** Creates a page where the customer manages their subscription, and returns its URL. */
  openPortal(customer: string, returnUrl: string): Promise<string>;
  /**
   * Verifies and parses an event; sends no request.
   * @param body the exact text that was received, which the signature covers
   * @returns undefined for an event that we ignore
   * @throws Refusal `webhook_signature_invalid` when the signature is wrong or too old
   * @throws InvalidInput when the event is signed but malformed
   */
  parseWebhook(body: string, signature: string): WebhookEvent | undefined;
  findSubscription(id: string): Promise<ProviderSubscription | undefined>;
  /** All subscriptions, or those of one customer, including ended ones. */
  listSubscriptions(customer?: string): AsyncIterable<ProviderSubscription>;
  /** Cancels all subscriptions of a customer at once, and closes their checkout pages. */
  cancelSubscriptions(customer: string): Promise<void>;
}
