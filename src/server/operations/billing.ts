import type { PaymentPage } from '#contract/billing.ts';
import { refuse } from '#domain/refusal.ts';
import { isBilled } from '#domain/subscription.ts';
import type { Instant } from '#domain/time.ts';
import {
  findPayer,
  linkCustomer,
  type Payer,
  replaceCheckout,
} from '#server/database/subscriptions.ts';
import { MIN_TRIAL_MS } from '#server/payments/payment_provider.ts';
import { loadBookingEligibility } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { requirePaymentProvider } from './payments.ts';
import { resyncSubscription } from './reconcile_subscriptions.ts';

/**
 * Opens the page where an artist subscribes; one that was opened before is closed. What is left of
 * their trial is theirs there too, unless it is too short for the card provider.
 * @throws Refusal `billing_off`, `already_subscribed`, `billing_unreachable`, `not_found`
 */
export async function openCheckout(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<PaymentPage> {
  const { database, site } = context;
  const payments = requirePaymentProvider(context);
  const artist = await findPayer(database, artistId);
  if (!artist) throw refuse('not_found');
  const standing = await loadBookingEligibility(context, artistId, now);
  if (standing.kind === 'subscribed' || standing.kind === 'grace')
    throw refuse('already_subscribed');
  if (artist.payment_checkout) await payments.expireCheckout(artist.payment_checkout);
  const customer = await ensureCustomer(context, artist);
  if (customer === undefined) throw refuse('not_found');
  const trialEnds = standing.kind === 'trial' ? standing.until : null;
  const { id, url } = await payments.openCheckout({
    customer,
    artistId,
    trialEnds: trialEnds !== null && trialEnds - now >= MIN_TRIAL_MS ? trialEnds : null,
    successUrl: `${site.siteUrl}/studio/billing?checkout=success`,
    cancelUrl: `${site.siteUrl}/studio/billing?checkout=cancelled`,
  });
  // Another one may have been opened meanwhile: the last one stays.
  const other = await replaceCheckout(database, artistId, id);
  if (other === undefined) {
    await payments.expireCheckout(id);
    throw refuse('not_found');
  }
  if (other && other !== artist.payment_checkout) await payments.expireCheckout(other);
  return { url };
}

/**
 * Who the artist is to the provider, made known to it when they are not; undefined when the artist
 * is gone.
 * @throws Refusal `already_subscribed`
 */
async function ensureCustomer(context: Context, artist: Payer): Promise<string | undefined> {
  const { id, full_name: name, email, payment_customer: known } = artist;
  const payments = requirePaymentProvider(context);
  if (known !== null && (await payments.hasCustomer(known))) {
    await refuseSecondSubscription(context, known);
    return known;
  }
  const made = await payments.createCustomer({ id, name, email, instead: known });
  return linkCustomer(context.database, id, made, known);
}

/** Nobody pays twice, even when what they paid for has not come to us yet. */
async function refuseSecondSubscription(context: Context, customer: string): Promise<void> {
  for await (const theirs of requirePaymentProvider(context).listSubscriptions(customer)) {
    if (!isBilled(theirs.snapshot.status)) continue;
    await resyncSubscription(context, theirs);
    throw refuse('already_subscribed');
  }
}

/**
 * Opens the page where an artist manages what they pay.
 * @throws Refusal `billing_off`, `not_subscribed`, `billing_unreachable`
 */
export async function openPortal(context: Context, artistId: string): Promise<PaymentPage> {
  const payments = requirePaymentProvider(context);
  const customer = (await findPayer(context.database, artistId))?.payment_customer;
  if (!customer || !(await payments.hasCustomer(customer))) throw refuse('not_subscribed');
  return { url: await payments.openPortal(customer, `${context.site.siteUrl}/studio/billing`) };
}
