import { randomUUID } from 'node:crypto';
import {
  isBilled,
  type Subscription,
  type SubscriptionSnapshot,
  subscriptionFromEvents,
} from '#domain/accounts/subscription.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import { insertPaymentEvent, listSubscriptionEvents } from '#server/database/payment_events.ts';
import * as subscriptions from '#server/database/subscriptions.ts';
import { change } from '../change.ts';
import {
  applyPaymentEvents,
  type PaymentContext,
  requirePaymentProvider,
  tagsOfPayer,
} from './payments.ts';

/**
 * A difference between our records and the payment provider's (called card provider in `message`),
 * or a mistake that both records contain, such as two subscriptions of one customer.
 */
export interface Difference {
  readonly message: string;
  /** False when a person must look into it. */
  readonly isResolved: boolean;
}

/**
 * Compares all stored subscriptions with the payment provider's, and corrects the stored ones.
 * @throws Refusal `billing_off`, `billing_unreachable`
 */
export async function reconcileSubscriptions(
  context: PaymentContext,
): Promise<readonly Difference[]> {
  const { database } = context;
  const differences: (Difference | undefined)[] = [];
  const stored = await subscriptions.listSubscriptions(database);
  const unmatchedById = new Map(stored.map((subscription) => [subscription.id, subscription]));
  const billedIdsByCustomer = new Map<string, string[]>();
  for await (const remote of requirePaymentProvider(context).listSubscriptions()) {
    const { id, customer, snapshot } = remote;
    if (isDifferent(unmatchedById.get(id), snapshot))
      differences.push(await resyncSubscription(context, remote));
    unmatchedById.delete(id);
    if (isBilled(snapshot.status))
      billedIdsByCustomer.set(customer, [...(billedIdsByCustomer.get(customer) ?? []), id]);
  }
  // The provider does not list the remaining stored subscriptions.
  for (const subscription of unmatchedById.values())
    if (subscription.status !== 'canceled')
      differences.push(await resyncSubscription(context, subscription));
  const artistCustomers = new Set(await subscriptions.listCustomerIds(database));
  for (const [customer, ids] of billedIdsByCustomer) {
    const sentenceStart = `The customer ${customer} pays for ${ids.join(' and ')}`;
    if (ids.length > 1)
      differences.push({ message: `${sentenceStart} at once.`, isResolved: false });
    if (!artistCustomers.has(customer))
      differences.push({ message: `${sentenceStart} and is no artist here.`, isResolved: false });
  }
  return differences.filter((difference) => difference !== undefined);
}

/** The result of the change that compares one subscription; without a difference, both records agree. */
interface Resync {
  readonly payer: { readonly id: string } | undefined;
  readonly difference?: Difference;
}

/**
 * Looks up a subscription at the payment provider, and corrects the stored one.
 * @returns undefined when both agree: a webhook may have corrected ours by now
 */
export async function resyncSubscription(
  context: PaymentContext,
  { id, customer }: { readonly id: string; readonly customer: string },
): Promise<Difference | undefined> {
  const scope = { invalidates: ({ payer }: Resync) => tagsOfPayer(payer) };
  const { difference } = await change(context, scope, async (context, now): Promise<Resync> => {
    const { database } = context;
    await subscriptions.lockSubscription(database, id);
    const payer = await subscriptions.findPayerByCustomer(database, customer);
    const events = await listSubscriptionEvents(database, id);
    const before = subscriptionFromEvents(events);
    // Rounded down to the second, like the times of the provider's events.
    const observedAt = Math.floor(now / 1000) * 1000;
    const found = await requirePaymentProvider(context).findSubscription(id);
    let snapshot = found?.snapshot;
    if (!found && before) {
      // A subscription that the provider does not know any more counts as cancelled.
      const { currentPeriodEnd, cancelAtPeriodEnd } = before;
      snapshot = { status: 'canceled', currentPeriodEnd, cancelAtPeriodEnd };
    }
    if (!snapshot || !isDifferent(before, snapshot)) return { payer };
    // A subscription is computed from its events, so an event of our own corrects it.
    await insertPaymentEvent(database, {
      id: `observed_${randomUUID()}`,
      // The latest event counts: this one must not be older, even if our clock is behind.
      happenedAt: Math.max(observedAt, ...events.map(({ happenedAt }) => happenedAt)),
      customer,
      subscription: id,
      data: { kind: 'observed', snapshot },
    });
    await applyPaymentEvents(context, { id, customer }, now);
    const after = subscriptionFromEvents(await listSubscriptionEvents(database, id));
    const storedText = before ? formatSubscription(before) : 'not known';
    const providerText = found ? formatSubscription(snapshot) : 'not known';
    const message = `The subscription ${id} was ${storedText} here and is ${providerText} at the card provider.`;
    // A stored cancellation is final, even if the provider now reports another status.
    return { payer, difference: { message, isResolved: !isDifferent(after, snapshot) } };
  });
  return difference;
}

/** Whether our record must be corrected by what the provider reports. */
function isDifferent(stored: Subscription | undefined, remote: SubscriptionSnapshot): boolean {
  if (!stored) return true;
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = remote;
  // Once a subscription is cancelled, its other fields have no effect.
  if (status === 'canceled' && stored.status === 'canceled') return false;
  return (
    stored.status !== status ||
    stored.currentPeriodEnd !== currentPeriodEnd ||
    stored.cancelAtPeriodEnd !== cancelAtPeriodEnd ||
    // Our record says that the latest payment failed, but `status` means that nothing is due.
    (stored.failingSince !== null && (status === 'active' || status === 'trialing'))
  );
}

function formatSubscription(snapshot: SubscriptionSnapshot): string {
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = snapshot;
  if (status === 'canceled' || currentPeriodEnd === null) return status;
  return `${status} (${cancelAtPeriodEnd ? 'ends' : 'until'} ${toRfc3339(currentPeriodEnd)})`;
}
