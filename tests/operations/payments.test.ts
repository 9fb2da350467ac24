import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { lockSubscription } from '#server/database/subscriptions.ts';
import { handlePaymentEvent } from '#server/operations/payments.ts';
import {
  type BilledTestApp,
  moveSignupBack,
  openBilledTestApp,
  retryFailedJobs,
} from '#support/billed_test_app.ts';
import { createSubscription, type StripeEvent } from '#support/fake_stripe_objects.ts';
import { permutations } from '#support/permutations.ts';
import { openTestApp } from '#support/test_app.ts';

const TAKEN = { status: 200, body: { received: true } };
const BAD_SIGNATURE = { status: 400, body: { detail: 'The signature does not fit' } };

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** A subscription's life, a second each, for a customer nobody knows. */
function lifeOf({ provider }: BilledTestApp, id: string, begins = now() - 100): StripeEvent[] {
  const one = createSubscription(id, `cus_${id}`, provider.account.priceId, begins);
  const invoice = {
    id: `in_${id}`,
    object: 'invoice',
    customer: one.customer,
    parent: { type: 'subscription_details', subscription_details: { subscription: id } },
  };
  return [
    provider.event('customer.subscription.created', { ...one, status: 'incomplete' }, begins),
    provider.event('invoice.paid', invoice, begins + 1),
    provider.event('invoice.payment_failed', invoice, begins + 2),
    provider.event('customer.subscription.updated', { ...one, status: 'past_due' }, begins + 2),
    provider.event('customer.subscription.deleted', { ...one, status: 'canceled' }, begins + 3),
  ];
}

async function keptOf({ app }: BilledTestApp) {
  return app.database
    .selectFrom('subscriptions')
    .select(['id', 'customer', 'status', 'failing_since', 'cancel_at_period_end'])
    .orderBy('id')
    .execute();
}

test('a wrong, a missing and an old signature are refused, and nothing is kept', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const body = JSON.stringify(lifeOf(billed, 'sub_1')[0]);
  const good = provider.sign(body);
  for (const signature of [
    undefined,
    '',
    'nonsense',
    good.replace(/v1=\w+/, `v1=${'0'.repeat(64)}`),
    good.replace(/t=\d+/, `t=${now() - 1}`),
    provider.sign(body, { secret: 'whsec_of_someone_else' }),
    provider.sign(body, { at: now() - 301 }),
    provider.sign(`${body} `),
  ])
    expect(await billed.postWebhook(body, signature), signature).toMatchObject(BAD_SIGNATURE);
  expect(await billed.postWebhook('', provider.sign(''))).toMatchObject(BAD_SIGNATURE);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
  expect(await billed.postWebhook(body, good)).toMatchObject(TAKEN);
});

test('a signature is good for five minutes', async () => {
  const billed = await openBilledTestApp();
  const body = JSON.stringify(lifeOf(billed, 'sub_1')[0]);
  expect(
    await billed.postWebhook(body, billed.provider.sign(body, { at: now() - 290 })),
  ).toMatchObject(TAKEN);
});

test('what the signature is of is the body byte for byte, whatever its type', async () => {
  const billed = await openBilledTestApp();
  const body = `\n${JSON.stringify(lifeOf(billed, 'sub_1 – ümlaut')[0], null, 3)}\r\n`;
  const answer = await billed.app.call('POST /users/webhook', {
    raw: body,
    headers: { 'Content-Type': 'text/plain', 'Stripe-Signature': billed.provider.sign(body) },
  });
  expect(answer).toMatchObject(TAKEN);
});

test('what does not matter here is taken and not kept', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  for (const event of [
    provider.event('customer.created', { id: 'cus_1', object: 'customer' }),
    provider.event('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_1' }),
  ])
    expect(await provider.send(event)).toMatchObject(TAKEN);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
});

test('what is signed and cannot be understood is not taken', async () => {
  const { postWebhook: post, provider, app } = await openBilledTestApp();
  const strange = provider.event('customer.subscription.updated', { id: 'sub_1', status: 'new' });
  for (const body of ['not JSON', '[]', '{}', 'null', JSON.stringify(strange)])
    expect((await post(body, provider.sign(body))).status, body).toBe(422);
  const large = 'x'.repeat(300_000);
  expect((await post(large, provider.sign(large))).status).toBe(413);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
});

test('the same event ten times, at once and one after the other, changes once', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  const { id, customer } = await billed.subscribe(artist);
  await billed.loadSelf(artist);
  const [failed] = lifeOf(billed, id).slice(2, 3);
  if (!failed) throw new Error('Nothing failed');
  const event = {
    ...failed,
    created: now(),
    data: { object: { ...failed.data.object, customer } },
  };
  const before = await app.mails();
  const answers = await Promise.all(Array.from({ length: 10 }, () => provider.send(event)));
  for (let more = 0; more < 10; more += 1) answers.push(await provider.send(event));
  for (const answer of answers) expect(answer).toMatchObject(TAKEN);
  const { subscription } = await billed.loadSelf(artist);
  expect(subscription?.grace_until).toBe(
    new Date((event.created + 3 * 24 * 3600) * 1000).toISOString().replace('.000Z', 'Z'),
  );
  const kept = app.database.selectFrom('payment_events').where('id', '=', event.id);
  expect(await kept.selectAll().execute()).toHaveLength(1);
  expect((await app.mails()).length - before.length).toBe(1);
  expect(await app.mailsAbout('a payment failed')).toHaveLength(1);
});

test('every order of created, updated and deleted ends in the same state', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const orders = permutations([0, 3, 4]);
  for (const [index, order] of orders.entries()) {
    const life = lifeOf(billed, `sub_${index}`);
    for (const which of order) {
      const event = life[which];
      if (event) expect(await provider.send(event)).toMatchObject(TAKEN);
      await app.runJobs();
    }
  }
  const kept = await keptOf(billed);
  expect(kept).toHaveLength(orders.length);
  for (const one of kept) expect(one).toMatchObject({ status: 'canceled' });
});

test('every order of a life with a failed payment ends in the same state, and all at once too', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const begins = now() - 100;
  const orders = permutations([0, 2, 3, 4]);
  for (const [index, order] of orders.entries()) {
    const life = lifeOf(billed, `sub_${index}`, begins);
    const told = order.flatMap((which) => life[which] ?? []);
    if (index % 2 === 0) await Promise.all(told.map((event) => provider.send(event)));
    else
      for (const event of told) {
        await provider.send(event);
        await app.runJobs();
      }
  }
  await app.runJobs();
  const kept = await keptOf(billed);
  expect(kept).toHaveLength(orders.length);
  for (const one of kept)
    expect(one).toMatchObject({
      status: 'canceled',
      failing_since: new Date((begins + 2) * 1000),
    });
});

test('whoever handles an event waits for their turn, and then sees what was told meanwhile', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const { database } = app;
  const [created, deleted] = [lifeOf(billed, 'sub_1').at(0), lifeOf(billed, 'sub_1').at(-1)];
  if (!created || !deleted) throw new Error('Nothing happened');
  await provider.send(created);
  let handled: Promise<void> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await lockSubscription(transaction, 'sub_1');
    const context = {
      database,
      payments: undefined,
      jobs: { enqueue: async () => {} },
      invalidate: async () => {},
    };
    handled = handlePaymentEvent(context, created.id);
    const waiting = sql`SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;
    await vi.waitFor(async () => expect((await waiting.execute(database)).rows).not.toEqual([]), {
      timeout: 10_000,
    });
    await provider.send(deleted);
  });
  await handled;
  expect(await keptOf(billed)).toMatchObject([{ status: 'canceled' }]);
});

test('a crash between keeping and handling is made good', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const [created] = lifeOf(billed, 'sub_1');
  if (!created) throw new Error('Nothing was made');
  await sql`ALTER TABLE subscriptions ADD CONSTRAINT crash CHECK (status IS NULL)`.execute(
    app.database,
  );
  expect(await provider.send(created)).toMatchObject(TAKEN);
  await app.runJobs();
  expect(await keptOf(billed)).toEqual([]);
  const unhandled = app.database
    .selectFrom('payment_events')
    .select('id')
    .where('handled_at', 'is', null);
  expect(await unhandled.execute()).toEqual([{ id: created.id }]);
  await sql`ALTER TABLE subscriptions DROP CONSTRAINT crash`.execute(app.database);
  await retryFailedJobs(app);
  expect(await keptOf(billed)).toMatchObject([{ id: 'sub_1', status: 'incomplete' }]);
  expect(await unhandled.execute()).toEqual([]);
});

test('events of older versions of the provider are understood', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const { items: _, ...one } = createSubscription(
    'sub_1',
    'cus_1',
    provider.account.priceId,
    now(),
  );
  const end = now() + 1000;
  await provider.send(
    provider.event('customer.subscription.created', {
      ...one,
      customer: { id: 'cus_1', object: 'customer' },
      current_period_end: end,
    }),
  );
  await provider.send(
    provider.event(
      'invoice.payment_failed',
      { id: 'in_1', object: 'invoice', customer: 'cus_1', subscription: 'sub_1' },
      now() + 1,
    ),
  );
  await app.runJobs();
  const kept = await app.database.selectFrom('subscriptions').selectAll().execute();
  expect(kept).toMatchObject([
    { id: 'sub_1', customer: 'cus_1', current_period_end: new Date(end * 1000) },
  ]);
  expect(kept[0]?.failing_since).not.toBeNull();
});

test('a checkout tells whose customer it is when we do not know it', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  for (const [customer, reference] of [
    ['cus_1', artist.self.id],
    ['cus_1', other.self.id],
    ['cus_2', artist.self.id],
    ['cus_3', 'not an id'],
    ['cus_4', null],
  ])
    await provider.send(
      provider.event('checkout.session.completed', {
        id: 'cs_1',
        object: 'checkout.session',
        customer,
        subscription: 'sub_1',
        client_reference_id: reference,
      }),
    );
  await app.runJobs();
  const customers = await app.database
    .selectFrom('artists')
    .select(['id', 'payment_customer'])
    .where('payment_customer', 'is not', null)
    .execute();
  expect(customers).toEqual([{ id: artist.self.id, payment_customer: 'cus_1' }]);
});

test('artists are told once that a payment failed, and once that their subscription ended', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  const { id } = await billed.subscribe(artist);
  await provider.failPayment(id);
  await app.runJobs();
  await provider.failPayment(id);
  const [failed, ...more] = await app.mailsAbout('a payment failed');
  expect(failed?.text).toContain(artist.self.studio.time_zone);
  expect(more).toEqual([]);
  await provider.cancelNow(id);
  await app.runJobs();
  for (const event of provider.events) await provider.send(event);
  expect(await app.mailsAbout('a payment failed')).toHaveLength(1);
  expect(await app.mailsAbout('your subscription has ended')).toHaveLength(1);
});

test('a failure of which the end is heard first is told once', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  const one = await billed.subscribe(artist);
  await app.runJobs();
  const overdue = { ...one, status: 'past_due' };
  const invoice = { object: 'invoice', customer: one.customer, subscription: one.id };
  await provider.send(provider.event('customer.subscription.updated', overdue, now() + 20));
  await app.runJobs();
  await provider.send(provider.event('invoice.payment_failed', invoice, now() + 10));
  expect(await app.mailsAbout('a payment failed')).toHaveLength(1);
});

test('while billing is off the webhook says so', async () => {
  const app = await openTestApp();
  const answer = await app.call('POST /users/webhook', { raw: '{}' });
  expect(answer).toMatchObject({
    status: 503,
    body: { detail: 'Subscriptions are not set up here' },
  });
});
