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
  holdSubscription,
  listCustomers,
  listSubscriptions,
} from '#server/database/subscriptions.ts';
import { clearPayer, type PaymentContext, paymentsOf, settle } from './payments.ts';

/** Something that was not the same here and at the card provider, or cannot be right. */
export interface Difference {
  readonly what: string;
  /** Whether all is well now; what is not is for a person to settle. */
  readonly isMended: boolean;
}

/**
 * Compares what we know of subscriptions with what the card provider knows, and mends it.
 * @throws Refusal `billing_off`, `billing_unreachable`
 */
export async function reconcile(context: PaymentContext): Promise<readonly Difference[]> {
  const { database } = context;
  const differences: (Difference | undefined)[] = [];
  const ours = new Map((await listSubscriptions(database)).map((one) => [one.id, one]));
  const running = new Map<string, string[]>();
  for await (const theirs of paymentsOf(context).listSubscriptions()) {
    const { id, customer, snapshot } = theirs;
    if (differ(ours.get(id), snapshot)) differences.push(await mend(context, theirs));
    ours.delete(id);
    if (isBilled(snapshot.status)) running.set(customer, [...(running.get(customer) ?? []), id]);
  }
  for (const left of ours.values())
    if (left.status !== 'canceled') differences.push(await mend(context, left));
  const artists = new Set(await listCustomers(database));
  for (const [customer, ids] of running) {
    const what = `The customer ${customer} pays for ${ids.join(' and ')}`;
    if (ids.length > 1) differences.push({ what: `${what} at once.`, isMended: false });
    if (!artists.has(customer))
      differences.push({ what: `${what} and is no artist here.`, isMended: false });
  }
  return differences.filter((one) => one !== undefined);
}

/**
 * Makes a subscription here what it is at the card provider, which is asked again.
 * @returns undefined when there is no difference any more
 */
export async function mend(
  context: PaymentContext,
  { id, customer }: { readonly id: string; readonly customer: string },
): Promise<Difference | undefined> {
  const mended = context.database.transaction().execute(async (transaction) => {
    await holdSubscription(transaction, id);
    const events = await listSubscriptionEvents(transaction, id);
    const before = subscriptionFromEvents(events);
    const askedAt = Math.floor(Date.now() / 1000) * 1000;
    const found = await paymentsOf(context).findSubscription(id);
    const snapshot = found?.snapshot ?? (before && { ...told(before), status: 'canceled' });
    if (!snapshot || !differ(before, snapshot)) return undefined;
    await insertPaymentEvent(transaction, {
      id: `observed_${randomUUID()}`,
      // What was told before was so before, whatever the clocks say.
      happenedAt: Math.max(askedAt, ...events.map(({ happenedAt }) => happenedAt)),
      customer,
      subscription: id,
      data: { kind: 'observed', snapshot },
    });
    await settle(context, transaction, { id, customer });
    const after = subscriptionFromEvents(await listSubscriptionEvents(transaction, id));
    const here = before ? describe(before) : 'not known';
    const there = found ? describe(snapshot) : 'not known';
    return {
      what: `The subscription ${id} was ${here} here and is ${there} at the card provider.`,
      isMended: !differ(after, snapshot),
    };
  });
  // Also when it failed in doubt: it would not be found to differ once more.
  return mended.finally(() => clearPayer(context, customer));
}

function told(subscription: SubscriptionSnapshot): SubscriptionSnapshot {
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  return { status, currentPeriodEnd, cancelAtPeriodEnd };
}

function differ(ours: Subscription | undefined, theirs: SubscriptionSnapshot): boolean {
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

function describe({ status, currentPeriodEnd, cancelAtPeriodEnd }: SubscriptionSnapshot): string {
  if (status === 'canceled' || currentPeriodEnd === null) return status;
  return `${status} (${cancelAtPeriodEnd ? 'ends' : 'until'} ${toRfc3339(currentPeriodEnd)})`;
}
