import { type Selectable, sql } from 'kysely';
import type { Subscription } from '#domain/subscription.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import type { DB } from './tables.ts';

/** A subscription and who has it, by their id at the card provider. */
export interface StoredSubscription extends Subscription {
  readonly id: string;
  readonly customer: string;
}

/** What an artist's standing rests on. */
export interface BillingHistory {
  /** Sign-up, or when billing was first on if that was later. */
  readonly trialStart: Instant;
  /** Ended ones included. */
  readonly subscriptions: readonly StoredSubscription[];
}

/** What the standing of these artists rests on, by their ids, in one query. */
export async function listBillingHistories(
  database: Database,
  artistIds: readonly string[],
): Promise<Map<string, BillingHistory>> {
  if (artistIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('artists')
    .leftJoin('billing', (join) => join.onTrue())
    .leftJoin('subscriptions', 'subscriptions.customer', 'artists.payment_customer')
    .select(['artists.id as artist_id', 'artists.created_at', 'billing.since', ...COLUMNS])
    .where(sql<boolean>`artists.id = any(${[...artistIds]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ artist_id, created_at, since }) => [
      artist_id,
      {
        trialStart: Math.max(created_at.getTime(), since?.getTime() ?? 0),
        subscriptions: rows
          .filter((row) => row.artist_id === artist_id)
          .flatMap(toStoredSubscriptions),
      },
    ]),
  );
}

/** Every subscription that was ever told of, by its id. */
export async function listSubscriptions(database: Database): Promise<StoredSubscription[]> {
  const rows = await database.selectFrom('subscriptions').select(COLUMNS).orderBy('id').execute();
  return rows.flatMap(toStoredSubscriptions);
}

/**
 * A subscription that nobody else changes until the transaction ends; undefined while nothing of
 * it is kept, in which case nobody else begins it either.
 */
export async function lockSubscription(
  transaction: Database,
  id: string,
): Promise<StoredSubscription | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(transaction);
  const row = await transaction
    .selectFrom('subscriptions')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toStoredSubscriptions(row)[0];
}

/** Keeps how a subscription is now. */
export async function upsertSubscription(
  database: Database,
  { id, customer, status, currentPeriodEnd, cancelAtPeriodEnd, failingSince }: StoredSubscription,
): Promise<void> {
  const now = {
    customer,
    status,
    current_period_end: currentPeriodEnd === null ? null : new Date(currentPeriodEnd),
    cancel_at_period_end: cancelAtPeriodEnd,
    failing_since: failingSince === null ? null : new Date(failingSince),
  };
  await database
    .insertInto('subscriptions')
    .values({ id, ...now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(now))
    .execute();
}

const COLUMNS = [
  'subscriptions.id',
  'subscriptions.customer',
  'subscriptions.status',
  'subscriptions.current_period_end',
  'subscriptions.cancel_at_period_end',
  'subscriptions.failing_since',
] as const;

type Row = Selectable<DB['subscriptions']>;

/** None where an artist has none. */
function toStoredSubscriptions(row: { [K in keyof Row]: Row[K] | null }): StoredSubscription[] {
  const { id, customer, status, cancel_at_period_end } = row;
  if (id === null || customer === null || status === null || cancel_at_period_end === null)
    return [];
  return [
    {
      id,
      customer,
      status,
      currentPeriodEnd: row.current_period_end?.getTime() ?? null,
      cancelAtPeriodEnd: cancel_at_period_end,
      failingSince: row.failing_since?.getTime() ?? null,
    },
  ];
}

export type Payer = NonNullable<Awaited<ReturnType<typeof findPayer>>>;

/** Who an artist is to the card provider, and the checkout that was opened last for them. */
export function findPayer(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .select(['id', 'full_name', 'email', 'payment_customer', 'payment_checkout'])
    .where('id', '=', artistId)
    .executeTakeFirst();
}

/** The artist who is that customer; undefined when they are gone. */
export function findPayerByCustomer(database: Database, customer: string) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .select(['artists.id', 'artists.full_name', 'artists.email', 'places.time_zone'])
    .where('artists.payment_customer', '=', customer)
    .executeTakeFirst();
}

/** Every artist's id at the card provider. */
export async function listCustomerIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('artists').select('payment_customer').execute();
  return rows.flatMap(({ payment_customer }) => payment_customer ?? []);
}

/**
 * Makes an artist a customer, unless they are another one than `instead` by now; answers which one they are, or undefined when
 * the artist is gone. A customer that is another artist's stays theirs.
 */
export async function linkCustomer(
  database: Database,
  artistId: string,
  customer: string,
  instead: string | null = null,
): Promise<string | undefined> {
  await database
    .updateTable('artists')
    .set({ payment_customer: customer })
    .where('id', '=', artistId)
    .where('payment_customer', 'is not distinct from', instead)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('artists as others')
            .select('others.id')
            .where('others.payment_customer', '=', customer),
        ),
      ),
    )
    .execute();
  return (await findPayer(database, artistId))?.payment_customer ?? undefined;
}

/**
 * Remembers the checkout that was opened last; answers the one before it, or undefined when the
 * artist is gone.
 */
export async function replaceCheckout(
  database: Database,
  artistId: string,
  checkout: string,
): Promise<string | null | undefined> {
  return database.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('artists')
      .select('payment_checkout')
      .where('id', '=', artistId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    await transaction
      .updateTable('artists')
      .set({ payment_checkout: checkout })
      .where('id', '=', artistId)
      .execute();
    return before?.payment_checkout;
  });
}

/** Remembers that billing is on, from the first time on. */
export async function insertBillingStart(database: Database): Promise<void> {
  await database
    .insertInto('billing')
    .values({ since: sql`now()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
