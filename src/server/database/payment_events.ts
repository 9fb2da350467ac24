/** Events of the payment provider (Stripe), such as a successful or failed payment. */
import { sql } from 'kysely';
import type {
  CustomerEvent,
  PaymentEvent,
  SubscriptionEventData,
} from '#domain/accounts/subscription.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { epochMs } from './epoch_ms.ts';
import { hasRow } from './has_row.ts';
import { countChanged, inParts } from './in_batches.ts';

/** Inserts an event; returns false if it was stored before. The provider may send it repeatedly. */
export function insertPaymentEvent(
  database: Database,
  { id, happenedAt, customer, subscription, data }: CustomerEvent,
): Promise<boolean> {
  const event = JSON.stringify(data);
  const insert = database
    .insertInto('payment_events')
    .values({ id, happened_at: new Date(happenedAt), customer, subscription, event })
    .onConflict((conflict) => conflict.column('id').doNothing());
  return hasRow(insert.returning('id'));
}

const COLUMNS = ['id', epochMs(sql.ref('happened_at')).as('happenedAt'), 'event as data'] as const;

/** Finds an event by the provider's id. */
export function findPaymentEvent(database: Database, id: string) {
  return database
    .selectFrom('payment_events')
    .select([...COLUMNS, 'customer', 'subscription'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists a subscription's events, unsorted, without checkouts: they do not change its state. */
export async function listSubscriptionEvents(
  database: Database,
  subscription: string,
): Promise<PaymentEvent<SubscriptionEventData>[]> {
  const rows = await database
    .selectFrom('payment_events')
    .select(COLUMNS)
    .where('subscription', '=', subscription)
    .execute();
  return rows.flatMap(({ data, ...event }) =>
    data.kind === 'checkout_completed' ? [] : [{ ...event, data }],
  );
}

/** Stores the present time as the time when an event was handled; later calls change nothing. */
export async function markPaymentEventHandled(database: Database, id: string): Promise<void> {
  await database
    .updateTable('payment_events')
    .set({ handled_at: sql`now()` })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .execute();
}

/**
 * Deletes handled events that arrived before an instant, unless a subscription needs them: its state follows
 * from the last event that reports it as paid or ended, and those after it.
 * @returns how many
 */
export async function deleteOldPaymentEvents(database: Database, before: Instant): Promise<number> {
  const isOld = sql`received_at < ${new Date(before)} AND handled_at IS NOT NULL AND (
    event->>'kind' = 'checkout_completed' OR subscription IS NULL
    OR EXISTS (
      SELECT FROM payment_events AS later
      WHERE later.subscription = payment_events.subscription
        AND later.happened_at > payment_events.happened_at
        AND later.event->'snapshot'->>'status' IN ('active', 'trialing', 'canceled')
    )
  )`;
  return inParts(database, 'payment_events', (isInPart) =>
    countChanged(database, sql`DELETE FROM payment_events WHERE ${isInPart} AND ${isOld}`),
  );
}
