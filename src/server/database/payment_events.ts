import { sql } from 'kysely';
import type { PaymentEvent, SubscriptionEventData } from '#domain/subscription.ts';
import type { Database } from './connect.ts';

/** What the card provider told of a customer. */
export interface CustomerEvent extends PaymentEvent {
  /** The customer's and the subscription's ids at the card provider. */
  readonly customer: string;
  readonly subscription: string | null;
}

/** Keeps what was told; answers whether it is new. */
export async function insertPaymentEvent(
  database: Database,
  { id, happenedAt, customer, subscription, data: fact }: CustomerEvent,
): Promise<boolean> {
  const inserted = await database
    .insertInto('payment_events')
    .values({
      id,
      happened_at: new Date(happenedAt),
      customer,
      subscription,
      event: JSON.stringify(fact),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Something that was told, by its id. */
export async function findPaymentEvent(
  database: Database,
  id: string,
): Promise<CustomerEvent | undefined> {
  const row = await database
    .selectFrom('payment_events')
    .select(['id', 'happened_at', 'customer', 'subscription', 'event'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      happenedAt: row.happened_at.getTime(),
      customer: row.customer,
      subscription: row.subscription,
      data: row.event,
    }
  );
}

/** All that was told of a subscription, in no order. */
export async function listSubscriptionEvents(
  database: Database,
  subscription: string,
): Promise<PaymentEvent<SubscriptionEventData>[]> {
  const rows = await database
    .selectFrom('payment_events')
    .select(['id', 'happened_at', 'event'])
    .where('subscription', '=', subscription)
    .execute();
  return rows.flatMap(({ id, happened_at, event }) =>
    event.kind === 'checkout_completed'
      ? []
      : [{ id, happenedAt: happened_at.getTime(), data: event }],
  );
}

/** Remembers that an event has had its effect. */
export async function markPaymentEventHandled(database: Database, id: string): Promise<void> {
  await database
    .updateTable('payment_events')
    .set({ handled_at: sql`now()` })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .execute();
}
