import { tag } from '#cache/policy.ts';
import { refuse } from '#domain/refusal.ts';
import { subscriptionFromEvents } from '#domain/subscription.ts';
import type { Database } from '#server/database/connect.ts';
import * as events from '#server/database/payment_events.ts';
import * as subscriptions from '#server/database/subscriptions.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import { loadBookingEligibility } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { notify, toAccountFacts } from './notify.ts';

/** As much as payments rest on. */
export type PaymentContext = Pick<Context, 'database' | 'jobs' | 'payments' | 'invalidate'>;

/** @throws Refusal `billing_off` */
export function requirePaymentProvider({ payments }: Pick<Context, 'payments'>): PaymentProvider {
  if (!payments) throw refuse('billing_off');
  return payments;
}

/**
 * Keeps what the card provider tells, once, to be handled after the answer.
 * @throws Refusal `billing_off`, `bad_signature`
 * @throws InvalidInput when it cannot be understood
 */
export async function receiveWebhook(
  context: PaymentContext,
  body: string,
  signature: string,
): Promise<void> {
  const told = requirePaymentProvider(context).parseWebhook(body, signature);
  if (!told) return;
  await context.database.transaction().execute(async (transaction) => {
    if (await events.insertPaymentEvent(transaction, told))
      await context.jobs.enqueue(transaction, [{ kind: 'payment', id: told.id }]);
  });
}

/** Handles what the card provider told; doing it again changes nothing. */
export async function handlePaymentEvent(context: PaymentContext, id: string): Promise<void> {
  const event = await events.findPaymentEvent(context.database, id);
  if (!event) return;
  await context.database.transaction().execute(async (transaction) => {
    const { customer, subscription, data: fact } = event;
    if (fact.kind === 'checkout_completed' && fact.artistId !== null)
      await subscriptions.linkCustomer(transaction, fact.artistId, customer);
    if (subscription !== null)
      await applyPaymentEvents(context, transaction, { id: subscription, customer });
    await events.markPaymentEventHandled(transaction, id);
  });
  await invalidatePayer(context, event.customer);
}

/** Clears what is shown of whoever pays as this customer: their books may have opened or closed. */
export async function invalidatePayer(
  context: Pick<Context, 'database' | 'invalidate'>,
  customer: string,
): Promise<void> {
  const artist = await subscriptions.findPayerByCustomer(context.database, customer);
  if (artist) await context.invalidate([tag.artist(artist.id)]);
}

/** Brings a subscription to what all that was told of it adds up to, and tells of trouble. */
export async function applyPaymentEvents(
  context: PaymentContext,
  transaction: Database,
  { id, customer }: { readonly id: string; readonly customer: string },
): Promise<void> {
  const before = await subscriptions.lockSubscription(transaction, id);
  const after = subscriptionFromEvents(await events.listSubscriptionEvents(transaction, id));
  if (!after) return;
  await subscriptions.upsertSubscription(transaction, { id, customer, ...after });
  const artist = await subscriptions.findPayerByCustomer(transaction, customer);
  if (!artist) return;
  const { payments } = context;
  const standing = await loadBookingEligibility(
    { database: transaction, payments },
    artist.id,
    Date.now(),
  );
  const about = { artist: toAccountFacts(artist), subscription: id, zone: artist.time_zone };
  // Not of another one's: who pays twice has bookings all the same.
  if (standing.kind === 'grace' && after.failingSince !== null && !before?.failingSince)
    await notify(context, transaction, artist.id, [
      { kind: 'payment_failed', ...about, until: standing.until },
    ]);
  if (standing.kind === 'ended' && after.status === 'canceled' && before?.status !== 'canceled')
    await notify(context, transaction, artist.id, [
      { kind: 'subscription_ended', ...about, until: standing.since },
    ]);
}

/** Has the payments of an artist end who goes, once the transaction commits. */
export async function enqueueCancellation(
  { jobs }: PaymentContext,
  transaction: Database,
  artistId: string,
): Promise<void> {
  const customer = (await subscriptions.findPayer(transaction, artistId))?.payment_customer;
  if (customer) await jobs.enqueue(transaction, [{ kind: 'cancel_subscription', id: customer }]);
}

/**
 * Ends all that a customer pays who has no account any more.
 * @throws Refusal `billing_off`, `billing_unreachable`, to be tried again
 */
export async function cancelSubscriptions(
  context: PaymentContext,
  customer: string,
): Promise<void> {
  await requirePaymentProvider(context).cancelSubscriptions(customer);
}
