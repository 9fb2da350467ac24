import type { PaymentPage } from '#contract/billing.ts';
import { isOngoing } from '#domain/accounts/subscription.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import * as subscriptions from '#server/database/subscriptions.ts';
import { MIN_TRIAL_MS } from '#server/payments/payment_provider.ts';
import { loadBookingEligibility } from '../booking/booking_eligibility.ts';
import type { Context } from '../context.ts';
import { requirePaymentProvider } from './payments.ts';
import { resyncSubscription } from './reconcile_subscriptions.ts';

/**
 * Creates a page of the payment provider where the artist subscribes (a checkout), and closes their
 * earlier checkout. The rest of a trial stays free, unless it is too short for the provider.
 */
export async function openCheckout(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<PaymentPage> {
  const { database, site } = context;
  const provider = requirePaymentProvider(context);
  const artist = requireFound(await subscriptions.findPayer(database, artistId));
  const eligibility = await loadBookingEligibility(context, artistId, now);
  // `grace`: subscribed, but a payment has failed.
  if (eligibility.kind === 'subscribed' || eligibility.kind === 'grace')
    throw refuse('already_subscribed');
  const earlierCheckout = artist.payment_checkout;
  // Before `ensureUnsubscribedCustomer`, which so sees every payment: from here on nobody can pay there.
  if (earlierCheckout) await provider.expireCheckout(earlierCheckout);
  const customer = requireFound(await ensureUnsubscribedCustomer(context, artist));
  const trialEnds = eligibility.kind === 'trial' ? eligibility.until : null;
  const isTrialLongEnough = trialEnds !== null && trialEnds - now >= MIN_TRIAL_MS;
  const { id, url } = await provider.openCheckout({
    customer,
    artistId,
    trialEnds: isTrialLongEnough ? trialEnds : null,
    successUrl: `${site.siteUrl}/studio/billing?checkout=success`,
    cancelUrl: `${site.siteUrl}/studio/billing?checkout=cancelled`,
  });
  // Undefined when the artist was deleted meanwhile; null when the artist had no checkout before.
  const replacedCheckout = await subscriptions.replaceCheckout(database, artistId, id);
  if (replacedCheckout === undefined) {
    await provider.expireCheckout(id);
    throw refuse('not_found');
  }
  // A concurrent request may have opened another checkout: only the last one stays open.
  if (replacedCheckout && replacedCheckout !== earlierCheckout)
    await provider.expireCheckout(replacedCheckout);
  return { url };
}

/**
 * Finds or creates the artist as a customer at the payment provider.
 * @returns the customer id; undefined when the artist's account was deleted
 * @throws Refusal `already_subscribed` when the customer has a subscription there
 */
async function ensureUnsubscribedCustomer(
  context: Context,
  artist: subscriptions.Payer,
): Promise<string | undefined> {
  const { id, full_name: name, email, payment_customer: storedCustomer } = artist;
  const provider = requirePaymentProvider(context);
  if (storedCustomer !== null && (await provider.hasCustomer(storedCustomer))) {
    await refuseSecondSubscription(context, storedCustomer);
    return storedCustomer;
  }
  // A stored customer was deleted there, or is of another merchant account: the new one must have another id.
  const details = { id, name, email, deletedCustomer: storedCustomer };
  const newCustomer = await provider.createCustomer(details);
  // `linkCustomer` returns the other customer if a concurrent request has linked one first.
  return subscriptions.linkCustomer(context.database, id, newCustomer, storedCustomer);
}

/** Asks the payment provider, because its event about a new subscription may still be on its way. */
async function refuseSecondSubscription(context: Context, customer: string): Promise<void> {
  for await (const subscription of requirePaymentProvider(context).listSubscriptions(customer)) {
    if (!isOngoing(subscription.snapshot.status)) continue;
    // Corrects our record of the subscription.
    await resyncSubscription(context, subscription);
    throw refuse('already_subscribed');
  }
}

/** Creates a page of the payment provider where the artist manages their subscription. */
export async function openPortal(context: Context, artistId: string): Promise<PaymentPage> {
  const provider = requirePaymentProvider(context);
  const customer = (await subscriptions.findPayer(context.database, artistId))?.payment_customer;
  if (!customer || !(await provider.hasCustomer(customer))) throw refuse('not_subscribed');
  return { url: await provider.openPortal(customer, `${context.site.siteUrl}/studio/billing`) };
}
