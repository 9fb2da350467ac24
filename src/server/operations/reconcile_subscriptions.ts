import { randomUUID } from 'node:crypto';
import {
  isBilled,
  type Subscription,
  type SubscriptionSnapshot,
  subscriptionFromEvents,
} from '#domain/subscription.ts';
import { toRfc3339 } from '#domain/time.ts';
import { insertPaymentEvent, listSubscriptionEvents } from '#server/database/payment_events.ts';
import {
  listCustomerIds,
  listSubscriptions,
  lockSubscription,
} from '#server/database/subscriptions.ts';
import {
  applyPaymentEvents,
  invalidatePayer,
  type PaymentContext,
  requirePaymentProvider,
} from './payments.ts';

/** Something that was not the same here and at the card provider, or cannot be right. */
export interface Difference {
  readonly message: string;
  /** Whether all is well now; what is not is for a person to settle. */
  readonly isResolved: boolean;
}

/**
 * Compares what we know of subscriptions with what the card provider knows, and mends it.
 * @throws Refusal `billing_off`, `billing_unreachable`
 */
export async function reconcileSubscriptions(
  context: PaymentContext,
): Promise<readonly Difference[]> {
  const { database } = context;
  const differences: (Difference | undefined)[] = [];
  const ours = new Map((await listSubscriptions(database)).map((one) => [one.id, one]));
  const running = new Map<string, string[]>();
  for await (const theirs of requirePaymentProvider(context).listSubscriptions()) {
    const { id, customer, snapshot } = theirs;
    if (isDifferent(ours.get(id), snapshot))
      differences.push(await resyncSubscription(context, theirs));
    ours.delete(id);
    if (isBilled(snapshot.status)) running.set(customer, [...(running.get(customer) ?? []), id]);
  }
  for (const left of ours.values())
    if (left.status !== 'canceled') differences.push(await resyncSubscription(context, left));
  const artists = new Set(await listCustomerIds(database));
  for (const [customer, ids] of running) {
    const what = `The customer ${customer} pays for ${ids.join(' and ')}`;
    if (ids.length > 1) differences.push({ message: `${what} at once.`, isResolved: false });
    if (!artists.has(customer))
      differences.push({ message: `${what} and is no artist here.`, isResolved: false });
  }
  return differences.filter((one) => one !== undefined);
}

/**
 * Makes a subscription here what it is at the card provider, which is asked again.
 * @returns undefined when there is no difference any more
 */
export async function resyncSubscription(
  context: PaymentContext,
  { id, customer }: { readonly id: string; readonly customer: string },
): Promise<Difference | undefined> {
  const mended = context.database.transaction().execute(async (transaction) => {
    await lockSubscription(transaction, id);
    const events = await listSubscriptionEvents(transaction, id);
    const before = subscriptionFromEvents(events);
    const askedAt = Math.floor(Date.now() / 1000) * 1000;
    const found = await requirePaymentProvider(context).findSubscription(id);
    const snapshot = found?.snapshot ?? (before && { ...toSnapshot(before), status: 'canceled' });
    if (!snapshot || !isDifferent(before, snapshot)) return undefined;
    await insertPaymentEvent(transaction, {
      id: `observed_${randomUUID()}`,
      // What was told before was so before, whatever the clocks say.
      happenedAt: Math.max(askedAt, ...events.map(({ happenedAt }) => happenedAt)),
      customer,
      subscription: id,
      data: { kind: 'observed', snapshot },
    });
    await applyPaymentEvents(context, transaction, { id, customer });
    const after = subscriptionFromEvents(await listSubscriptionEvents(transaction, id));
    const here = before ? formatSubscription(before) : 'not known';
    const there = found ? formatSubscription(snapshot) : 'not known';
    return {
      message: `The subscription ${id} was ${here} here and is ${there} at the card provider.`,
      isResolved: !isDifferent(after, snapshot),
    };
  });
  // Also when it failed in doubt: it would not be found to differ once more.
  return mended.finally(() => invalidatePayer(context, customer));
}

function toSnapshot(subscription: SubscriptionSnapshot): SubscriptionSnapshot {
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  return { status, currentPeriodEnd, cancelAtPeriodEnd };
}

function isDifferent(ours: Subscription | undefined, theirs: SubscriptionSnapshot): boolean {
  if (!ours) return true;
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = theirs;
  // What has ended stays as it was; only that it has ended is of any use.
  if (status === 'canceled' && ours.status === 'canceled') return false;
  return (
    ours.status !== status ||
    ours.currentPeriodEnd !== currentPeriodEnd ||
    ours.cancelAtPeriodEnd !== cancelAtPeriodEnd ||
    // It was paid after all.
    (ours.failingSince !== null && (status === 'active' || status === 'trialing'))
  );
}

function formatSubscription({
  status,
  currentPeriodEnd,
  cancelAtPeriodEnd,
}: SubscriptionSnapshot): string {
  if (status === 'canceled' || currentPeriodEnd === null) return status;
  return `${status} (${cancelAtPeriodEnd ? 'ends' : 'until'} ${toRfc3339(currentPeriodEnd)})`;
}
