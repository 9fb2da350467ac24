import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { lockSubscription } from '#server/database/subscriptions.ts';
import { handlePaymentEvent } from '#server/operations/payments/payments.ts';
import {
  type BilledTestApp,
  moveEventsBack,
  moveSignupBack,
  openBilledTestApp,
} from '#support/billed_test_app.ts';
import { createSubscription, type StripeEvent } from '#support/fake_stripe_objects.ts';

const ACCEPTED = { status: 200, body: { received: true } };
const BAD_SIGNATURE = { status: 400, body: { detail: 'The signature does not fit' } };

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** The events of a subscription from start to end, for an unknown customer. */
function createEvents(
  { provider }: BilledTestApp,
  id: string,
  startedAt = now() - 100,
): StripeEvent[] {
  const one = createSubscription(id, `cus_${id}`, startedAt);
  const invoice = {
    id: `in_${id}`,
    object: 'invoice',
    customer: one.customer,
    parent: { type: 'subscription_details', subscription_details: { subscription: id } },
  };
  return [
    provider.event('customer.subscription.created', { ...one, status: 'incomplete' }, startedAt),
    provider.event('invoice.paid', invoice, startedAt + 1),
    provider.event('invoice.payment_failed', invoice, startedAt + 2),
    provider.event('customer.subscription.updated', { ...one, status: 'past_due' }, startedAt + 2),
    provider.event('customer.subscription.deleted', { ...one, status: 'canceled' }, startedAt + 3),
  ];
}

async function loadSubscriptions({ app }: BilledTestApp) {
  return app.database
    .selectFrom('subscriptions')
    .select(['id', 'customer', 'status', 'failing_since', 'cancel_at_period_end'])
    .orderBy('id')
    .execute();
}

test('webhooks with a wrong, missing, expired or future signature are refused and not stored', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  const body = JSON.stringify(createEvents(billed, 'sub_1')[0]);
  const good = provider.sign(body);
  for (const signature of [
    undefined,
    '',
    'nonsense',
    good.replace(/v1=\w+/, `v1=${'0'.repeat(64)}`),
    good.replace(/t=\d+/, `t=${now() - 1}`),
    provider.sign(body, { secret: 'whsec_of_someone_else' }),
    provider.sign(body, { at: now() - 301 }),
    provider.sign(body, { at: now() + 330 }),
    provider.sign(`${body} `),
  ])
    expect(await billed.postWebhook(body, signature), signature).toMatchObject(BAD_SIGNATURE);
  expect(await billed.postWebhook('', provider.sign(''))).toMatchObject(BAD_SIGNATURE);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
  const almostExpired = provider.sign(body, { at: now() - 290 });
  for (const accepted of [good, almostExpired])
    expect(await billed.postWebhook(body, accepted)).toMatchObject(ACCEPTED);
});

test('the webhook signature is verified against the raw body, whatever its content type', async () => {
  const { billed } = await openBilledTestApp();
  const body = `\n${JSON.stringify(createEvents(billed, 'sub_1 – ümlaut')[0], null, 3)}\r\n`;
  const response = await billed.app.call('POST /users/webhook', {
    raw: body,
    headers: { 'Content-Type': 'text/plain', 'Stripe-Signature': billed.provider.sign(body) },
  });
  expect(response).toMatchObject(ACCEPTED);
});

test('webhook events that we do not use are accepted and not stored', async () => {
  const { provider, app } = await openBilledTestApp();
  for (const event of [
    provider.event('customer.created', { id: 'cus_1', object: 'customer' }),
    provider.event('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_1' }),
  ])
    expect(await provider.send(event)).toMatchObject(ACCEPTED);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
});

test('signed webhooks that are invalid or too large are refused and not stored', async () => {
  const { postWebhook: post, provider, app } = await openBilledTestApp();
  const strange = provider.event('customer.subscription.updated', { id: 'sub_1', status: 'new' });
  for (const body of ['not JSON', '[]', '{}', 'null', JSON.stringify(strange)])
    expect((await post(body, provider.sign(body))).status, body).toBe(422);
  const large = 'x'.repeat(300_000);
  expect((await post(large, provider.sign(large))).status).toBe(413);
  expect(await app.database.selectFrom('payment_events').selectAll().execute()).toEqual([]);
});

test('an event that arrives many times, concurrently and in sequence, is handled once', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  const artist = await app.newArtist();
  const { id, customer } = await billed.subscribe(artist);
  await billed.loadSelf(artist);
  const [failed] = createEvents(billed, id).slice(2, 3);
  if (!failed) throw new Error('Nothing failed');
  const event = {
    ...failed,
    created: now(),
    data: { object: { ...failed.data.object, customer } },
  };
  const before = await app.mails();
  const responses = await Promise.all(Array.from({ length: 10 }, () => provider.send(event)));
  for (let repeat = 0; repeat < 10; repeat += 1) responses.push(await provider.send(event));
  for (const response of responses) expect(response).toMatchObject(ACCEPTED);
  const { subscription } = await billed.loadSelf(artist);
  expect(subscription?.grace_until).toBe(
    new Date((event.created + 3 * 24 * 3600) * 1000).toISOString().replace('.000Z', 'Z'),
  );
  const stored = app.database.selectFrom('payment_events').where('id', '=', event.id);
  expect(await stored.selectAll().execute()).toHaveLength(1);
  expect((await app.mails()).length - before.length).toBe(1);
  expect(await app.mailsAbout('a payment failed')).toHaveLength(1);
});

test('handling an event waits for the lock of its subscription, and includes events that arrived meanwhile', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  const { database } = app;
  const [created, deleted] = [
    createEvents(billed, 'sub_1').at(0),
    createEvents(billed, 'sub_1').at(-1),
  ];
  if (!created || !deleted) throw new Error('Nothing happened');
  await provider.send(created);
  let handled: Promise<void> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await lockSubscription(transaction, 'sub_1');
    const context = {
      database,
      payments: undefined,
      jobs: { enqueue: async () => {}, deleteJobsWithEmail: async () => {} },
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
  expect(await loadSubscriptions(billed)).toMatchObject([{ status: 'canceled' }]);
});

test('an event that was stored but failed to be handled is retried', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  const [created] = createEvents(billed, 'sub_1');
  if (!created) throw new Error('There is no event');
  await sql`ALTER TABLE subscriptions ADD CONSTRAINT crash CHECK (status IS NULL)`.execute(
    app.database,
  );
  expect(await provider.send(created)).toMatchObject(ACCEPTED);
  await app.runJobs();
  expect(await loadSubscriptions(billed)).toEqual([]);
  const unhandled = app.database
    .selectFrom('payment_events')
    .select('id')
    .where('handled_at', 'is', null);
  expect(await unhandled.execute()).toEqual([{ id: created.id }]);
  await sql`ALTER TABLE subscriptions DROP CONSTRAINT crash`.execute(app.database);
  await app.retryFailedJobs();
  expect(await loadSubscriptions(billed)).toMatchObject([{ id: 'sub_1', status: 'incomplete' }]);
  expect(await unhandled.execute()).toEqual([]);
});

test('events in older versions of the Stripe API are handled', async () => {
  const { provider, app } = await openBilledTestApp();
  const { items: _, ...one } = createSubscription('sub_1', 'cus_1', now());
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
  const subscriptions = await app.database.selectFrom('subscriptions').selectAll().execute();
  expect(subscriptions).toMatchObject([
    { id: 'sub_1', customer: 'cus_1', current_period_end: new Date(end * 1000) },
  ]);
  expect(subscriptions[0]?.failing_since).not.toBeNull();
});

test('a completed checkout links a customer to an artist only when both are unlinked', async () => {
  const { provider, app } = await openBilledTestApp();
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

test('artists are mailed once about a failed payment, and once about the end of their subscription', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  const { id } = await billed.subscribe(artist);
  await provider.failPayment(id);
  await app.runJobs();
  await provider.failPayment(id);
  const [failed, ...more] = await app.mailsAbout('a payment failed');
  expect(failed?.text?.replace(/\s+/g, ' ')).toContain('Eastern Time (New York)');
  expect(more).toEqual([]);
  await provider.cancelNow(id);
  await app.runJobs();
  for (const event of provider.events) await provider.send(event);
  expect(await app.mailsAbout('a payment failed')).toHaveLength(1);
  expect(await app.mailsAbout('your subscription has ended')).toHaveLength(1);
});

test.each(['past_due', 'paused', 'active'] as const)(
  'no end is mailed while another subscription of the artist lives: %s',
  async (status) => {
    const { billed, provider, app } = await openBilledTestApp();
    const artist = await app.newArtist();
    await moveSignupBack(app, artist, 20);
    const { id, customer } = await billed.subscribe(artist);
    const other = await provider.startSubscription(customer);
    if (status === 'past_due') await provider.failPayment(other.id);
    if (status === 'paused') await provider.pause(other.id);
    await app.runJobs();
    await moveEventsBack(app, 10);
    await provider.cancelNow(id);
    await app.runJobs();
    expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status });
    expect(await app.mailsAbout('your subscription has ended')).toEqual([]);
    await provider.cancelNow(other.id);
    expect(await app.mailsAbout('your subscription has ended')).toHaveLength(1);
  },
);

test('a failed payment is mailed once when its invoice event arrives after the status update', async () => {
  const { billed, provider, app } = await openBilledTestApp();
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
