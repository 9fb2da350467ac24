/** Artists' paid subscriptions to this site, as the payment provider (Stripe) reports them. */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Subscription } from '#domain/accounts/subscription.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';
import { epochMs } from './epoch_ms.ts';

/** `id` and `customer` (the artist who pays) are the payment provider's ids. */
export interface StoredSubscription extends Subscription {
  readonly id: string;
  readonly customer: string;
}

interface BillingHistory {
  /** When the artist signed up or billing was first enabled, whichever was later. */
  readonly trialStart: Instant;
  /** All of the artist's subscriptions, also those that have ended. */
  readonly subscriptions: readonly StoredSubscription[];
}

const COLUMNS = [
  'subscriptions.id',
  'subscriptions.customer',
  'subscriptions.status',
  'subscriptions.cancel_at_period_end as cancelAtPeriodEnd',
  epochMs<Instant | null>(sql.ref('subscriptions.current_period_end')).as('currentPeriodEnd'),
  epochMs<Instant | null>(sql.ref('subscriptions.failing_since')).as('failingSince'),
] as const;

/** Maps each artist's id to the facts that decide whether the artist may take bookings. */
export async function listBillingHistories(
  database: Database,
  artistIds: readonly string[],
): Promise<Map<string, BillingHistory>> {
  if (artistIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('artists')
    // `billing` has at most one row: the time when billing was first enabled.
    .leftJoin('billing', (join) => join.onTrue())
    .select(['artists.id', 'artists.created_at', 'billing.since'])
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('subscriptions')
          .select(COLUMNS)
          .whereRef('subscriptions.customer', '=', 'artists.payment_customer'),
      ).as('subscriptions'),
    )
    .where(sql<boolean>`artists.id = any(${[...artistIds]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, created_at, since, subscriptions }) => {
      const trialStart = Math.max(created_at.getTime(), since?.getTime() ?? 0);
      return [id, { trialStart, subscriptions }];
    }),
  );
}

/** Lists all subscriptions, current and ended, ordered by id. */
export function listSubscriptions(database: Database): Promise<StoredSubscription[]> {
  return database.selectFrom('subscriptions').select(COLUMNS).orderBy('id').execute();
}

/**
 * Locks a subscription until the transaction ends, and loads its row. The lock is an advisory lock
 * on a hash (seed 0) of the id, because a subscription without a row needs the lock, too.
 * @returns undefined when the subscription has no row
 */
export async function lockSubscription(transaction: Transaction, id: string) {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(transaction);
  return transaction
    .selectFrom('subscriptions')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Stores a subscription, in place of an earlier row with its id. */
export async function upsertSubscription(
  database: Database,
  { id, customer, status, currentPeriodEnd, cancelAtPeriodEnd, failingSince }: StoredSubscription,
): Promise<void> {
  const values = {
    customer,
    status,
    current_period_end: currentPeriodEnd === null ? null : new Date(currentPeriodEnd),
    cancel_at_period_end: cancelAtPeriodEnd,
    failing_since: failingSince === null ? null : new Date(failingSince),
  };
  await database
    .insertInto('subscriptions')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

export type Payer = NonNullable<Awaited<ReturnType<typeof findPayer>>>;

/** Finds an artist, with the ids of their customer and last checkout at the payment provider. */
export function findPayer(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .select(['id', 'full_name', 'email', 'payment_customer', 'payment_checkout'])
    .where('id', '=', artistId)
    .executeTakeFirst();
}

/** Finds the artist with a customer id, if any, and the time zone of the artist's studio. */
export function findPayerByCustomer(database: Database, customer: string) {
  return database
    .selectFrom('artists')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .select(['artists.id', 'artists.full_name', 'artists.email', 'studios.time_zone'])
    .where('artists.payment_customer', '=', customer)
    .executeTakeFirst();
}

/** Lists the payment provider's customer ids of all artists who have one. */
export async function listCustomerIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('artists').select('payment_customer').execute();
  const customers = rows.map(({ payment_customer }) => payment_customer);
  return customers.filter((customer) => customer !== null);
}

/**
 * Sets an artist's customer id to `customer`, if no artist has it and the present id is `expected`.
 * @param expected the present customer id; null when the artist must have none
 * @returns the artist's customer id after the call; undefined if none, or if no such artist exists
 */
export async function linkCustomer(
  database: Database,
  artistId: string,
  customer: string,
  expected: string | null = null,
): Promise<string | undefined> {
  await database
    .updateTable('artists')
    .set({ payment_customer: customer })
    .where('id', '=', artistId)
    .where('payment_customer', 'is not distinct from', expected)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM artists AS others WHERE others.payment_customer = ${customer})`,
    )
    .execute();
  return (await findPayer(database, artistId))?.payment_customer ?? undefined;
}

/**
 * Stores the id of an artist's latest checkout session (payment page) at the provider.
 * @returns the id that was stored before (null if none); undefined when the artist does not exist
 */
export async function replaceCheckout(database: Database, artistId: string, checkout: string) {
  const { rows } = await sql<{ previous: string | null }>`
    UPDATE artists SET payment_checkout = ${checkout}
    FROM (SELECT id, payment_checkout FROM artists WHERE id = ${artistId} FOR NO KEY UPDATE) AS before
    WHERE artists.id = before.id
    RETURNING before.payment_checkout AS previous
  `.execute(database);
  return rows[0]?.previous;
}

/** Stores the time when billing was first enabled: now. Later calls change nothing. */
export async function insertBillingStart(database: Database): Promise<void> {
  await database
    .insertInto('billing')
    .values({ since: sql`now()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
