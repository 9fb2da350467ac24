import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import {
  findPayer,
  findPayerByCustomer,
  linkCustomer,
  listBillingHistories,
  listCustomerIds,
  listSubscriptions,
  lockSubscription,
  replaceCheckout,
  type StoredSubscription,
  upsertSubscription,
} from '#server/database/subscriptions.ts';
import { addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const newCustomer = () => `cus_${crypto.randomUUID()}`;

function createSubscription(customer: string): StoredSubscription {
  return {
    id: `sub_${crypto.randomUUID()}`,
    customer,
    status: 'active',
    currentPeriodEnd: NOON,
    cancelAtPeriodEnd: false,
    failingSince: null,
  };
}

async function addCustomer() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const customer = newCustomer();
  await linkCustomer(database, artist.id, customer);
  return { database, artist, customer };
}

const loadLocked = (database: Database, id: string) =>
  database.transaction().execute((transaction) => lockSubscription(transaction, id));

test('upserting a subscription replaces all its fields', async () => {
  const { database, customer } = await addCustomer();
  const subscription = createSubscription(customer);
  expect(await loadLocked(database, subscription.id)).toBeUndefined();
  await upsertSubscription(database, subscription);
  expect(await loadLocked(database, subscription.id)).toEqual(subscription);
  const later = {
    ...subscription,
    status: 'past_due' as const,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: true,
    failingSince: NOON,
  };
  await upsertSubscription(database, later);
  expect(await loadLocked(database, subscription.id)).toEqual(later);
  expect(await listSubscriptions(database)).toContainEqual(later);
});

test('lockSubscription serializes concurrent changes, also before the subscription exists', async () => {
  const { database, customer } = await addCustomer();
  const subscription = createSubscription(customer);
  const change = () =>
    database.transaction().execute(async (transaction) => {
      const before = await lockSubscription(transaction, subscription.id);
      await upsertSubscription(transaction, subscription);
      return before === undefined ? 'created' : 'changed';
    });
  expect((await Promise.all([change(), change()])).toSorted()).toEqual(['changed', 'created']);
});

test('an artist’s customer is replaced only when the previous one is named', async () => {
  const { database, artist, customer } = await addCustomer();
  expect(await linkCustomer(database, artist.id, newCustomer())).toBe(customer);
  const next = newCustomer();
  expect(await linkCustomer(database, artist.id, next, customer)).toBe(next);
  expect(await listCustomerIds(database)).toContain(next);
  expect(await findPayerByCustomer(database, next)).toMatchObject({
    id: artist.id,
    time_zone: 'America/New_York',
  });
  expect(await findPayerByCustomer(database, customer)).toBeUndefined();
});

test('another artist’s customer cannot be linked', async () => {
  const { database, customer } = await addCustomer();
  const other = await addArtist(database);
  expect(await linkCustomer(database, other.id, customer)).toBeUndefined();
  expect((await findPayer(database, other.id))?.payment_customer).toBeNull();
  expect(await linkCustomer(database, crypto.randomUUID(), newCustomer())).toBeUndefined();
});

test('replacing the checkout stores the new one and returns the previous one', async () => {
  const { database, artist } = await addCustomer();
  expect(await replaceCheckout(database, artist.id, 'cs_one')).toBeNull();
  expect(await replaceCheckout(database, artist.id, 'cs_two')).toBe('cs_one');
  expect((await findPayer(database, artist.id))?.payment_checkout).toBe('cs_two');
  expect(await replaceCheckout(database, crypto.randomUUID(), 'cs_one')).toBeUndefined();
});

test('billing histories list all subscriptions of an artist, including cancelled ones', async () => {
  const { database, artist, customer } = await addCustomer();
  const other = await addArtist(database);
  const ended = { ...createSubscription(customer), status: 'canceled' as const };
  const running = createSubscription(customer);
  for (const one of [ended, running]) await upsertSubscription(database, one);
  const payments = await listBillingHistories(database, [artist.id, other.id]);
  expect(payments.get(artist.id)?.subscriptions).toHaveLength(2);
  expect(payments.get(artist.id)?.subscriptions).toEqual(expect.arrayContaining([ended, running]));
  expect(payments.get(other.id)?.subscriptions).toEqual([]);
  expect(await listBillingHistories(database, [])).toEqual(new Map());
});
