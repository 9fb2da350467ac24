/** Payments of artists for Linework: events of the payment provider change their subscriptions. */
import { tag } from '#cache/policy.ts';
import { isOngoing, subscriptionFromEvents } from '#domain/accounts/subscription.ts';
import type { MailData } from '#domain/mail/mail.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import * as events from '#server/database/payment_events.ts';
import * as subscriptions from '#server/database/subscriptions.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import { loadBookingEligibility } from '../booking/booking_eligibility.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';

/** `payments` is the adapter of the payment provider, Stripe; undefined when billing is off. */
export type PaymentContext = Pick<Context, 'database' | 'jobs' | 'payments' | 'invalidate'>;

/** Returns the payment provider. @throws Refusal `billing_off` when none is set up */
export function requirePaymentProvider({ payments }: Pick<Context, 'payments'>): PaymentProvider {
  if (!payments) throw refuse('billing_off');
  return payments;
}

/**
 * Stores an event of the payment provider, and a job that handles it after the response. Ignores
 * events that are stored already, and events of types that we do not use.
 * @throws InvalidInput when the body cannot be parsed
 */
export async function receiveWebhook(
  context: PaymentContext,
  body: string,
  signature: string,
): Promise<void> {
  const event = requirePaymentProvider(context).parseWebhook(body, signature);
  if (!event) return;
  await change(context, { invalidates: [] }, async ({ database, jobs }) => {
    const isNew = await events.insertPaymentEvent(database, event);
    if (isNew) await jobs.enqueue(database, [{ kind: 'payment', id: event.id }]);
  });
}

/** Applies a stored event of the payment provider. Applying the event again changes nothing. */
export async function handlePaymentEvent(context: PaymentContext, id: string): Promise<void> {
  const event = await events.findPaymentEvent(context.database, id);
  if (!event) return;
  const { customer, subscription, data } = event;
  await change(context, { invalidates: tagsOfPayer }, async (context, now) => {
    const { database } = context;
    // First, because the rest finds the artist by this customer.
    if (data.kind === 'checkout_completed' && data.artistId !== null)
      await subscriptions.linkCustomer(database, data.artistId, customer);
    if (subscription !== null)
      await applyPaymentEvents(context, { id: subscription, customer }, now);
    await events.markPaymentEventHandled(database, id);
    return subscriptions.findPayerByCustomer(database, customer);
  });
}

/** The tags of the pages that show whether a paying artist takes bookings; none without an artist. */
export function tagsOfPayer(artist: { readonly id: string } | undefined): string[] {
  return artist ? [tag.artist(artist.id), tag.explore()] : [];
}

/** Recomputes a subscription from its events. Mails the artist if it ended or a payment failed. */
export async function applyPaymentEvents(
  context: InChange<PaymentContext>,
  { id, customer }: { readonly id: string; readonly customer: string },
  now: Instant,
): Promise<void> {
  const { database } = context;
  const before = await subscriptions.lockSubscription(database, id);
  const after = subscriptionFromEvents(await events.listSubscriptionEvents(database, id));
  // All events so far are about payments, which do not contain the subscription's status.
  if (!after) return;
  await subscriptions.upsertSubscription(database, { id, customer, ...after });
  const artist = await subscriptions.findPayerByCustomer(database, customer);
  // No artist has this customer id, for example because the account was deleted.
  if (!artist) return;
  const eligibility = await loadBookingEligibility(context, artist.id, now);
  const facts = { artist: toAccountSnapshot(artist), subscription: id, zone: artist.time_zone };
  const notices: MailData[] = [];
  const wasFailing = before !== undefined && before.failingSince !== null;
  const beganToFail = after.failingSince !== null && !wasFailing;
  const becameCanceled = after.status === 'canceled' && before?.status !== 'canceled';
  const histories = await subscriptions.listBillingHistories(database, [artist.id]);
  const { subscriptions: ofArtist = [] } = histories.get(artist.id) ?? {};
  const hasOngoing = ofArtist.some(({ status }) => isOngoing(status));
  // The eligibility counts all of the artist's subscriptions: a second, paid one prevents a mail.
  // `until` is when bookings will stop (the end of the grace period) or have stopped.
  if (beganToFail && eligibility.kind === 'grace')
    notices.push({ kind: 'payment_failed', ...facts, until: eligibility.until });
  if (becameCanceled && !hasOngoing && eligibility.kind === 'ended')
    notices.push({ kind: 'subscription_ended', ...facts, until: eligibility.since });
  await notify(context, { notices });
}

/** Stores a job that cancels the subscriptions of an artist whose row will be deleted. */
export async function enqueueSubscriptionCancellation(
  { database, jobs }: PaymentContext,
  artistId: string,
): Promise<void> {
  const customer = (await subscriptions.findPayer(database, artistId))?.payment_customer;
  if (customer) await jobs.enqueue(database, [{ kind: 'cancel_subscription', id: customer }]);
}
