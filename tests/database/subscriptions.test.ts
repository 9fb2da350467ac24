import { expect, test } from 'vitest';
import {
  findPayer,
  findPayerByCustomer,
  linkCustomer,
  listCustomerIds,
  lockSubscription,
  type StoredSubscription,
  upsertSubscription,
} from '#server/database/subscriptions.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, NOON } from '#support/database_rows.ts';

const newCustomer = () => `cus_${crypto.randomUUID()}`;

async function addCustomer() {
  const { database, artist } = await openArtistContext();
  const customer = newCustomer();
  await linkCustomer(database, artist.id, customer);
  return { database, artist, customer };
}

test('lockSubscription serializes concurrent changes, also before the subscription exists', async () => {
  const { database, customer } = await addCustomer();
  const subscription: StoredSubscription = {
    ...{ id: `sub_${crypto.randomUUID()}`, customer, status: 'active' },
    ...{ currentPeriodEnd: NOON, cancelAtPeriodEnd: false, failingSince: null },
  };
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
