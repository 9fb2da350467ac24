/** A payment provider, such as Stripe. `customer` and `subscription` are the provider's ids. */
import type { CustomerEvent, SubscriptionSnapshot } from '#domain/accounts/subscription.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time/time.ts';

/**
 * The shortest trial that a checkout may have. The provider requires 48 hours when our request
 * arrives; the five minutes more allow a request to arrive late.
 */
export const MIN_TRIAL_MS = 48 * HOUR_MS + 5 * MINUTE_MS;

/** A subscription as the provider reports it now. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customer: string;
  readonly snapshot: SubscriptionSnapshot;
}

/** Methods that send requests throw `billing_unreachable` if the provider is unavailable. */
export interface PaymentProvider {
  /** Creates a customer for an artist, and returns its id; equal calls return the same. */
  createCustomer(artist: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /**
     * The artist's former customer id, which the provider has deleted; null if there is none. It
     * distinguishes this call from the call that created the deleted customer.
     */
    readonly deletedCustomer: string | null;
  }): Promise<string>;
  /** False for a customer that was deleted or belongs to another merchant account than ours. */
  hasCustomer(customer: string): Promise<boolean>;
  /** Creates a page where the customer subscribes, and returns the page's id and URL. */
  openCheckout(checkout: {
    readonly customer: string;
    readonly artistId: string;
    /** No charge before this time (at least `MIN_TRIAL_MS` ahead). Null charges immediately. */
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
  parseWebhook(body: string, signature: string): CustomerEvent | undefined;
  /** Undefined when the provider does not know the subscription. */
  findSubscription(id: string): Promise<ProviderSubscription | undefined>;
  /** All subscriptions, or those of one customer, including ended ones. */
  listSubscriptions(customer?: string): AsyncIterable<ProviderSubscription>;
  /** Cancels all subscriptions of a customer immediately, and closes its checkout pages. */
  cancelSubscriptions(customer: string): Promise<void>;
}
