import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { PaymentPage } from '#contract/billing.ts';
import {
  confirmAppointment,
  deleteMe,
  fetchArtist,
  fetchMe,
  startBillingPortal,
  startCheckout,
} from '#contract/endpoints.ts';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import { createStripeProvider } from '#server/payments/stripe.ts';
import { openArtistApp } from '#support/artist_app.ts';
import {
  type BilledTestApp,
  moveEventsBack,
  moveSignupBack,
  openBilledTestApp,
} from '#support/billed_test_app.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/problems.ts';
import { silentLog } from '#support/recorded_log.ts';
import {
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  requestSlot,
} from '#support/test_app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CHECKOUT = 'POST /users/create-checkout-session';
const PORTAL = 'POST /users/create-billing-portal';
const WEBHOOK = 'POST /users/webhook';
const SUBSCRIBED_ALREADY = { status: 409, body: { detail: 'You have a subscription already' } };
const NOT_TAKING = { status: 409, body: { detail: 'This artist is not taking bookings now.' } };
const BILLING_OFF = { status: 503, body: { detail: 'Subscriptions are not set up here' } };
const UNREACHABLE = {
  status: 503,
  body: { detail: 'The card provider cannot be reached right now. Please try again soon.' },
};

/** An artist who signed up so many days ago. */
async function openWithArtist(days = 0) {
  const { billed, provider, app } = await openBilledTestApp();
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, days);
  return { billed, provider, app, artist };
}

function checkout({ app }: BilledTestApp, { token }: TestArtist) {
  return app.call<PaymentPage>(CHECKOUT, { token });
}

/** Whether the artist's page takes bookings, and whether each list of free times has some. */
async function loadBookability({ app }: BilledTestApp, artist: TestArtist) {
  const { id } = artist.self;
  const page = await call(app.http(), fetchArtist, { path: { username: artist.username } });
  const next = new Date(Date.now() + 31 * DAY_MS);
  const month = `year=${next.getUTCFullYear()}&month=${next.getUTCMonth() + 1}`;
  const lists = [
    app.call<{ data: [] }>(`GET /services/${artist.service.id}/availability?${month}`),
    app.call<{ data: [] }>(`GET /users/${id}/availability?${month}`),
    app.call<{ data: [] }>(`GET /users/availability?${month}`, { token: artist.token }),
  ];
  return {
    takes: page.taking_bookings,
    sees: (await Promise.all(lists.map(expectOk))).map(({ data }) => data.length > 0),
  };
}

const OPEN = { takes: true, sees: [true, true, true] };
const CLOSED = { takes: false, sees: [false, false, false] };

test('a paid checkout makes the artist’s subscription active', async () => {
  const { billed, provider, artist } = await openWithArtist(20);
  const { url } = await call(artist.http, startCheckout);
  expect(url).toMatch(new RegExp(`^${provider.url}/checkout/cs_test_`));
  const [session] = provider.checkouts.values();
  expect(session).toMatchObject({
    client_reference_id: artist.self.id,
    success_url: 'http://linework.test/studio/billing?checkout=success',
    cancel_url: 'http://linework.test/studio/billing?checkout=cancelled',
  });
  const [customer] = provider.customers.values();
  expect(customer).toMatchObject({ name: artist.self.full_name, email: artist.self.email });
  const subscription = await provider.subscribe(session?.id ?? '');
  expect(subscription.status).toBe('active');
  expect((await billed.loadSelf(artist)).subscription).toEqual({
    status: 'active',
    current_period_end: expect.stringMatching(/^\d{4}-.*Z$/),
    cancel_at_period_end: false,
    is_trial: false,
    grace_until: null,
    allows_bookings: true,
  });
  expect(await loadBookability(billed, artist)).toEqual(OPEN);
  expect(await refusalOf(call(artist.http, startCheckout))).toMatchObject(SUBSCRIBED_ALREADY);
});

test('a subscription keeps the rest of the trial free, unless the rest is too short for Stripe', async () => {
  const { billed, provider, app } = await openBilledTestApp();
  for (const [days, status] of [
    [0, 'trialing'],
    [11.9, 'trialing'],
    [12.1, 'active'],
    [15, 'active'],
  ] as const) {
    const artist = await app.newArtist();
    await moveSignupBack(app, artist, days);
    const { current_period_end } = (await billed.loadSelf(artist)).subscription ?? {};
    const subscription = await billed.subscribe(artist);
    expect(subscription.status, `${days} days`).toBe(status);
    const trialEnd = Math.floor(Date.parse(current_period_end ?? '') / 1000);
    expect(subscription.trial_end).toBe(status === 'trialing' ? trialEnd : null);
    expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status, is_trial: false });
  }
  expect(provider.subscriptions.size).toBe(4);
});

test('the trial lasts 14 days, and then clients can neither book nor send requests', async () => {
  const { billed, app } = await openBilledTestApp();
  const artist = await app.newArtist();
  const managed = await app.newArtist({ scheduling_type: 'managed' });
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  const { subscription: trial } = await billed.loadSelf(artist);
  expect(trial).toMatchObject({ status: 'trialing', is_trial: true });
  await moveSignupBack(app, artist, 14.01);
  await moveSignupBack(app, managed, 14.01);
  const { subscription, created_at } = await billed.loadSelf(artist);
  expect(subscription).toMatchObject({ status: 'canceled', is_trial: true });
  expect(Date.parse(subscription?.current_period_end ?? '') - Date.parse(created_at)).toBe(
    14 * DAY_MS,
  );
  expect(await loadBookability(billed, artist)).toEqual(CLOSED);
  const key = { 'Idempotency-Key': '7b0e8a52-3f6e-4c57-9a1d-2f8f5d6b7c10' };
  expect(await requestSlot(app, artist, slot, {}, key)).toMatchObject(NOT_TAKING);
  const request = app.call(`POST /appointments/request/design?username=${managed.username}`, {
    json: { ...FILLED_FORM, design_id: null },
  });
  expect(await request).toMatchObject(NOT_TAKING);

  // Existing bookings can still be confirmed, and the artist can still enter appointments.
  expect(await call(app.http(), confirmAppointment, { path: { appt_id: held.id } })).toMatchObject({
    confirmed: true,
  });
  const entered = await app.call('POST /appointments/', {
    token: artist.token,
    json: {
      client: { first_name: 'Rosa' },
      start: '2027-03-01T15:00:00Z',
      end: '2027-03-01T15:59:00Z',
    },
  });
  expect(entered.status).toBe(201);
});

test('after a failed payment bookings stay open for three days, and reopen once it is paid', async () => {
  const { billed, provider, app, artist } = await openWithArtist(20);
  const { id } = await billed.subscribe(artist);
  await app.runJobs();
  await moveEventsBack(app, 30);
  await provider.failPayment(id);
  const { subscription } = await billed.loadSelf(artist);
  expect(subscription).toMatchObject({ status: 'past_due', is_trial: false });
  const left = Date.parse(subscription?.grace_until ?? '') - Date.now();
  expect(left).toBeGreaterThan(3 * DAY_MS - 60_000);
  expect(left).toBeLessThanOrEqual(3 * DAY_MS);
  expect(await loadBookability(billed, artist)).toEqual(OPEN);
  expect(await refusalOf(call(artist.http, startCheckout))).toMatchObject(SUBSCRIBED_ALREADY);

  await moveEventsBack(app, 3);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'past_due',
    grace_until: null,
  });
  expect(await loadBookability(billed, artist)).toEqual(CLOSED);
  // The unpaid subscription still exists; with another one the artist would pay twice.
  expect(await refusalOf(call(artist.http, startCheckout))).toMatchObject(SUBSCRIBED_ALREADY);

  await provider.pay(id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
  expect(await loadBookability(billed, artist)).toEqual(OPEN);
});

test('a paused subscription closes bookings, and is resumed in the portal instead of bought again', async () => {
  const { billed, provider, artist } = await openWithArtist(20);
  const { id } = await billed.subscribe(artist);
  await provider.pause(id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'paused' });
  expect(await loadBookability(billed, artist)).toEqual(CLOSED);
  expect(await refusalOf(call(artist.http, startCheckout))).toMatchObject(SUBSCRIBED_ALREADY);
  expect((await call(artist.http, startBillingPortal)).url).toMatch(/^http/);
});

test('a cancelled subscription runs until its period ends, and the artist can subscribe again', async () => {
  const { billed, provider, app, artist } = await openWithArtist(20);
  const first = await billed.subscribe(artist);
  await billed.loadSelf(artist);
  await moveEventsBack(app, 1);
  await provider.cancelAtPeriodEnd(first.id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
  });
  expect(await loadBookability(billed, artist)).toEqual(OPEN);
  await provider.cancelNow(first.id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'canceled',
    is_trial: false,
  });
  expect(await loadBookability(billed, artist)).toEqual(CLOSED);
  const second = await billed.subscribe(artist);
  expect(second.customer).toBe(first.customer);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
});

test('concurrent checkouts of an artist share one customer, and only one checkout stays open', async () => {
  const { billed, provider, artist } = await openWithArtist();
  const responses = await Promise.all(Array.from({ length: 5 }, () => checkout(billed, artist)));
  for (const response of responses) expect(response.status).toBe(200);
  await call(artist.http, startCheckout);
  expect(provider.customers.size).toBe(1);
  const openCheckouts = [...provider.checkouts.values()].filter(({ status }) => status === 'open');
  expect(openCheckouts).toHaveLength(1);
});

test('an artist whose customer was deleted at Stripe gets a new customer', async () => {
  const { billed, provider, app, artist } = await openWithArtist();
  await call(artist.http, startCheckout);
  const [deleted = ''] = provider.customers.keys();
  provider.deleteCustomer(deleted);
  expect(await refusalOf(call(app.http(artist.token), startBillingPortal))).toMatchObject({
    status: 409,
  });
  const responses = await Promise.all([checkout(billed, artist), checkout(billed, artist)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect([...provider.customers.keys()]).toEqual([expect.not.stringMatching(deleted)]);
  expect((await billed.subscribe(artist)).customer).not.toBe(deleted);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'trialing' });
});

test('an artist cannot subscribe twice while the webhook of the first payment is delayed', async () => {
  const { billed, provider, artist } = await openWithArtist(20);
  provider.setWebhook(undefined);
  await billed.subscribe(artist);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'canceled' });
  expect(await refusalOf(call(artist.http, startCheckout))).toMatchObject(SUBSCRIBED_ALREADY);
  // The refused checkout looked the subscription up at Stripe.
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
  provider.setWebhook(billed.postWebhook);
  for (const event of provider.events) await provider.send(event);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
});

test('the billing portal opens only for artists who are customers at Stripe', async () => {
  const { billed, provider, app, artist } = await openWithArtist();
  const { token } = artist;
  expect(await refusalOf(call(app.http(token), startBillingPortal))).toMatchObject({
    status: 409,
    body: { detail: 'You have no subscription to manage yet' },
  });
  await billed.subscribe(artist);
  const { url } = await call(app.http(token), startBillingPortal);
  expect(url).toMatch(new RegExp(`^${provider.url}/portal/bps_`));
  expect(provider.calls.at(-1)?.params).toMatchObject({
    return_url: 'http://linework.test/studio/billing',
  });
});

test('while billing is off, artists take bookings, have no subscription, and checkout and webhooks are refused', async () => {
  const { app, artist, token } = await openArtistApp({ database: 'own' });
  await app.database
    .updateTable('artists')
    .set({ created_at: new Date(Date.now() - 100 * DAY_MS) })
    .execute();
  const me = await call(app.http(token), fetchMe);
  expect(me).toMatchObject({ subscription: null, taking_bookings: true });
  expect(await listSlots(app, artist)).not.toEqual([]);
  for (const call of [CHECKOUT, PORTAL]) {
    expect(await app.call(call, { token })).toMatchObject(BILLING_OFF);
    expect(await app.call(call)).toMatchObject(NOT_SIGNED_IN);
  }
  expect(await app.call(WEBHOOK, { raw: '{}' })).toMatchObject(BILLING_OFF);
});

test('while Stripe is unreachable or fails, checkout is refused with a message, and no secret is logged', async () => {
  const { billed, provider, app, providerLogs } = await openBilledTestApp();
  const [newcomer, artist] = [await app.newArtist(), await app.newArtist()];
  await billed.subscribe(artist);
  for (const state of ['unreachable', 'failing'] as const) {
    provider.setState(state);
    expect(await refusalOf(call(newcomer.http, startCheckout)), state).toMatchObject(UNREACHABLE);
    expect(await refusalOf(call(app.http(artist.token), startBillingPortal)), state).toMatchObject(
      UNREACHABLE,
    );
    // The stored subscription still counts.
    expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'trialing' });
  }
  provider.setState('healthy');
  await call(newcomer.http, startCheckout);
  expect(providerLogs.length).toBeGreaterThan(0);
  const logged = [...providerLogs, ...app.logged].join('\n');
  const { secretKey, webhookSecret } = provider.account;
  for (const secret of [secretKey, webhookSecret, newcomer.token, artist.self.email])
    expect(logged).not.toContain(secret);
});

test('when Stripe rejects an email, its error code is logged without the email', async () => {
  const { app, providerLogs } = await openBilledTestApp();
  const artist = await app.newArtist({ email: 'ana@refused.example' });
  expect((await refusalOf(call(artist.http, startCheckout))).status).toBe(500);
  const logged = [...providerLogs, ...app.logged].join('\n');
  expect(logged).toContain('email_invalid');
  expect(logged).not.toContain('@refused.example');
});

test('a checkout opened while its account is being deleted expires', async () => {
  const { provider } = await openBilledTestApp();
  const payments = createStripeProvider(provider.account, silentLog);
  let beforeCheckout = async () => {};
  const app = await openTestApp({
    database: 'own',
    payments: {
      ...payments,
      async openCheckout(order) {
        await beforeCheckout();
        return payments.openCheckout(order);
      },
    },
  });
  await insertBillingStart(app.database);
  const { token } = await app.newArtist();
  beforeCheckout = async () => {
    await call(app.http(token), deleteMe, { body: PROOF });
    await app.runJobs();
  };
  expect(await refusalOf(call(app.http(token), startCheckout))).toMatchObject(NOT_FOUND);
  expect([...provider.checkouts.values()].map(({ status }) => status)).toEqual(['expired']);
});

test('deleting an account cancels its subscription, retrying until Stripe can be reached', async () => {
  const { billed, provider, app, artist } = await openWithArtist();
  const otherArtist = await app.newArtist();
  const subscription = await billed.subscribe(artist);
  const other = await billed.subscribe(otherArtist);
  await app.runJobs();
  provider.setState('failing');
  await call(app.http(artist.token), deleteMe, { body: PROOF });
  await app.runJobs();
  expect(provider.subscriptions.get(subscription.id)?.status).toBe('trialing');
  provider.setState('healthy');
  await app.retryFailedJobs();
  expect(provider.subscriptions.get(subscription.id)?.status).toBe('canceled');
  expect(provider.subscriptions.get(other.id)?.status).toBe('trialing');
  // Running the jobs again must not fail.
  await app.runJobs();
});

test('a subscription that ends while a customer’s subscriptions are cancelled does not leave the others running', async () => {
  const { billed, provider, payments } = await openBilledTestApp();
  const first = await billed.subscribe(await billed.app.newArtist());
  const others = [
    await provider.startSubscription(first.customer),
    await provider.startSubscription(first.customer),
  ];
  // By then all three are listed as running.
  provider.setWebhook(async () => {
    provider.setWebhook(undefined);
    await provider.cancelNow(others[0]?.id ?? '');
  });
  await payments.cancelSubscriptions(first.customer);
  expect([...provider.subscriptions.values()].map(({ status }) => status)).toEqual([
    'canceled',
    'canceled',
    'canceled',
  ]);
});

test('deleting an account expires its open checkout', async () => {
  const { provider, app, artist } = await openWithArtist();
  await call(artist.http, startCheckout);
  await call(app.http(artist.token), deleteMe, { body: PROOF });
  await app.runJobs();
  expect([...provider.checkouts.values()].map(({ status }) => status)).toEqual(['expired']);
});
