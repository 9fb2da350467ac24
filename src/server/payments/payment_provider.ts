import type { PaymentEvent, SubscriptionSnapshot } from '#domain/subscription.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time.ts';

/** The shortest trial that a checkout may grant: the provider's two days, and the way there. */
export const MIN_TRIAL_MS = 48 * HOUR_MS + 5 * MINUTE_MS;

/** A subscription as the card provider has it now. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customer: string;
  readonly snapshot: SubscriptionSnapshot;
}

/** What a callback told that matters here. */
export interface WebhookEvent extends PaymentEvent {
  readonly customer: string;
  readonly subscription: string | null;
}

/**
 * The card provider. Every call that asks it something throws Refusal `billing_unreachable` when
 * it cannot be reached or is not well.
 */
export interface PaymentProvider {
  /** Makes someone known; answers their id there. Asked twice for the same artist it makes one. */
  createCustomer(artist: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** The customer they were, whom the provider does not know any more. */
    readonly instead: string | null;
  }): Promise<string>;
  /** Whether there is such a customer: another account, or one who was deleted there, has none. */
  hasCustomer(customer: string): Promise<boolean>;
  /**
   * Opens a page where the customer subscribes.
   * @param trialEnds before which nothing is charged, `MIN_TRIAL_MS` ahead or more; null charges at once
   */
  openCheckout(checkout: {
    readonly customer: string;
    readonly artistId: string;
    readonly trialEnds: Instant | null;
    readonly successUrl: string;
    readonly cancelUrl: string;
  }): Promise<{ readonly id: string; readonly url: string }>;
  /** Closes such a page, so that nobody subscribes twice; one that is over stays so. */
  expireCheckout(id: string): Promise<void>;
  /** Opens a page where the customer manages what they pay; answers its address. */
  openPortal(customer: string, returnUrl: string): Promise<string>;
  /**
   * What a callback tells; undefined for what does not matter here.
   * @param body as it came, byte for byte
   * @throws Refusal `bad_signature` when it is not the provider's, or was signed too long ago
   * @throws InvalidInput when it is the provider's and cannot be understood
   */
  parseWebhook(body: string, signature: string): WebhookEvent | undefined;
  /** One subscription; undefined when there is none of that id. */
  findSubscription(id: string): Promise<ProviderSubscription | undefined>;
  /** All that there are, or all of one customer, ended ones included. */
  listSubscriptions(customer?: string): AsyncIterable<ProviderSubscription>;
  /** Ends everything that a customer pays, at once, and closes the checkouts that are open. */
  cancelSubscriptions(customer: string): Promise<void>;
}
