import { expect, test } from 'vitest';
import { confirmAppointment } from '#client/appointments.ts';
import { changeMe, deleteMe, fetchArtist, fetchMe } from '#client/artists.ts';
import { startBillingPortal, startCheckout } from '#client/billing.ts';
import type { PaymentPage } from '#contract/billing.ts';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import { createStripeProvider } from '#server/payments/stripe.ts';
import {
  type BilledTestApp,
  moveEventsBack,
  moveSignupBack,
  openBilledTestApp,
  retryFailedJobs,
} from '#support/billed_test_app.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/problems.ts';
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
const SUBSCRIBED_ALREADY = { status: 409, body: { detail: 'You have a subscription already' } };
const NOT_TAKING = { status: 409, body: { detail: 'This artist is not taking bookings now.' } };
const BILLING_OFF = { status: 503, body: { detail: 'Subscriptions are not set up here' } };
const UNREACHABLE = {
  status: 503,
  body: { detail: 'The card provider cannot be reached right now. Please try again soon.' },
};

function checkout({ app }: BilledTestApp, { token }: TestArtist) {
  return app.call<PaymentPage>(CHECKOUT, { token });
}

/** What a client may do with an artist: book, ask, and see free times. */
async function whatClientsMay({ app }: BilledTestApp, artist: TestArtist) {
  const { id } = artist.self;
  const page = await fetchArtist(app.http(), artist.username);
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

test('an artist subscribes, and is subscribed', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  const { url } = await startCheckout(artist.http);
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
  });
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);
  expect(await refusalOf(startCheckout(artist.http))).toMatchObject(SUBSCRIBED_ALREADY);
});

test('what is left of the trial stays free, unless it is too short for the provider', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
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
    const ends = Math.floor(Date.parse(current_period_end ?? '') / 1000);
    expect(subscription.trial_end).toBe(status === 'trialing' ? ends : null);
    expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status, is_trial: false });
  }
  expect(provider.subscriptions.size).toBe(4);
});

test('the trial lasts 14 days, and then clients can neither book nor ask', async () => {
  const billed = await openBilledTestApp();
  const { app } = billed;
  const artist = await app.newArtist();
  const managed = await app.newArtist({ scheduling_type: 'managed' });
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  await moveSignupBack(app, artist, 13.99);
  await moveSignupBack(app, managed, 13.99);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'trialing',
    is_trial: true,
    grace_until: null,
  });
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);

  await moveSignupBack(app, artist, 14.01);
  await moveSignupBack(app, managed, 14.01);
  const { subscription, created_at } = await billed.loadSelf(artist);
  expect(subscription).toMatchObject({ status: 'canceled', is_trial: true });
  expect(Date.parse(subscription?.current_period_end ?? '') - Date.parse(created_at)).toBe(
    14 * DAY_MS,
  );
  expect(await whatClientsMay(billed, artist)).toEqual(CLOSED);
  const key = { 'Idempotency-Key': '7b0e8a52-3f6e-4c57-9a1d-2f8f5d6b7c10' };
  expect(await requestSlot(app, artist, slot, {}, key)).toMatchObject(NOT_TAKING);
  const asked = app.call(`POST /appointments/request/design?username=${managed.username}`, {
    json: { ...FILLED_FORM, design_id: null },
  });
  expect(await asked).toMatchObject(NOT_TAKING);

  // What is there lives on, and the artist works on.
  expect(await confirmAppointment(app.http(), held.id)).toMatchObject({ confirmed: true });
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

test('whoever was there before billing has their trial from then', async () => {
  const billed = await openBilledTestApp();
  const { app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 100);
  expect(await whatClientsMay(billed, artist)).toEqual(CLOSED);
  await app.database.updateTable('billing').set({ since: new Date() }).execute();
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);
});

test('after a failed payment bookings stay open for three days, and open again once it is paid', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  const { id } = await billed.subscribe(artist);
  await app.runJobs();
  await moveEventsBack(app, 30);
  await provider.failPayment(id);
  const { subscription } = await billed.loadSelf(artist);
  expect(subscription).toMatchObject({ status: 'past_due', is_trial: false });
  const left = Date.parse(subscription?.grace_until ?? '') - Date.now();
  expect(left).toBeGreaterThan(3 * DAY_MS - 60_000);
  expect(left).toBeLessThanOrEqual(3 * DAY_MS);
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);
  expect(await refusalOf(startCheckout(artist.http))).toMatchObject(SUBSCRIBED_ALREADY);

  await moveEventsBack(app, 3);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'past_due',
    grace_until: null,
  });
  expect(await whatClientsMay(billed, artist)).toEqual(CLOSED);
  // They owe what they have; another one would be paid twice.
  expect(await refusalOf(startCheckout(artist.http))).toMatchObject(SUBSCRIBED_ALREADY);

  await provider.pay(id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);
});

test('a subscription that is cancelled runs until its period ends, and can be begun anew', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  const first = await billed.subscribe(artist);
  await billed.loadSelf(artist);
  await moveEventsBack(app, 1);
  await provider.cancelAtPeriodEnd(first.id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
  });
  expect(await whatClientsMay(billed, artist)).toEqual(OPEN);
  await provider.cancelNow(first.id);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({
    status: 'canceled',
    is_trial: false,
  });
  expect(await whatClientsMay(billed, artist)).toEqual(CLOSED);
  const second = await billed.subscribe(artist);
  expect(second.customer).toBe(first.customer);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
});

test('two checkouts at once make one customer, and one checkout stays open', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(billed, artist)));
  for (const answer of answers) expect(answer.status).toBe(200);
  await startCheckout(artist.http);
  expect(provider.customers.size).toBe(1);
  const open = [...provider.checkouts.values()].filter(({ status }) => status === 'open');
  expect(open).toHaveLength(1);
});

test('an artist whom the provider knows no more becomes a new customer there', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await startCheckout(artist.http);
  const [gone = ''] = provider.customers.keys();
  provider.forgetCustomer(gone);
  expect(await refusalOf(startBillingPortal(app.http(artist.token)))).toMatchObject({
    status: 409,
  });
  const answers = await Promise.all([checkout(billed, artist), checkout(billed, artist)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([...provider.customers.keys()]).toEqual([expect.not.stringMatching(gone)]);
  expect((await billed.subscribe(artist)).customer).not.toBe(gone);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'trialing' });
});

test('nobody pays twice while what they paid for is still on its way here', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await moveSignupBack(app, artist, 20);
  provider.tell(undefined);
  await billed.subscribe(artist);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'canceled' });
  expect(await refusalOf(startCheckout(artist.http))).toMatchObject(SUBSCRIBED_ALREADY);
  // It was looked up on the way.
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
  provider.tell(billed.postWebhook);
  for (const event of provider.events) await provider.send(event);
  expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'active' });
});

test('the portal opens for whoever is known to the provider', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  const { token } = artist;
  expect(await refusalOf(startBillingPortal(app.http(token)))).toMatchObject({
    status: 409,
    body: { detail: 'You have no subscription to manage yet' },
  });
  await billed.subscribe(artist);
  const { url } = await startBillingPortal(app.http(token));
  expect(url).toMatch(new RegExp(`^${provider.url}/portal/bps_`));
  expect(provider.calls.at(-1)?.params).toMatchObject({
    return_url: 'http://linework.test/studio/billing',
  });
});

test('while billing is off everyone takes bookings, and nothing of it shows', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { token } = artist;
  await app.database
    .updateTable('artists')
    .set({ created_at: new Date(Date.now() - 100 * DAY_MS) })
    .execute();
  const me = await fetchMe(app.http(token));
  expect(me).toMatchObject({ subscription: null, taking_bookings: true });
  expect(await listSlots(app, artist)).not.toEqual([]);
  for (const call of [CHECKOUT, PORTAL]) {
    expect(await app.call(call, { token })).toMatchObject(BILLING_OFF);
    expect(await app.call(call)).toMatchObject(NOT_SIGNED_IN);
  }
});

test('a provider that is away or unwell is told in words, and no secret is logged', async () => {
  const billed = await openBilledTestApp();
  const { provider, app, providerLogs: said } = billed;
  const [newcomer, artist] = [await app.newArtist(), await app.newArtist()];
  await billed.subscribe(artist);
  for (const state of ['unreachable', 'failing'] as const) {
    provider.be(state);
    expect(await refusalOf(startCheckout(newcomer.http)), state).toMatchObject(UNREACHABLE);
    expect(await refusalOf(startBillingPortal(app.http(artist.token))), state).toMatchObject(
      UNREACHABLE,
    );
    // What is known holds.
    expect((await billed.loadSelf(artist)).subscription).toMatchObject({ status: 'trialing' });
  }
  provider.be('well');
  await startCheckout(newcomer.http);
  expect(said.length).toBeGreaterThan(0);
  const logged = [...said, ...app.logged].join('\n');
  const { secretKey, webhookSecret } = provider.account;
  for (const secret of [secretKey, webhookSecret, newcomer.token, artist.self.email])
    expect(logged).not.toContain(secret);
});

test('what the provider says of an artist it does not want is not logged word for word', async () => {
  const billed = await openBilledTestApp();
  const { app, providerLogs: said } = billed;
  const artist = await app.newArtist();
  await changeMe(app.http(artist.token), { email: 'ana@refused.example' });
  expect((await refusalOf(startCheckout(artist.http))).status).toBe(500);
  const logged = [...said, ...app.logged].join('\n');
  expect(logged).toContain('email_invalid');
  expect(logged).not.toContain('@refused.example');
});

test('an account that goes while its checkout opens leaves none open', async () => {
  const { provider } = await openBilledTestApp();
  const payments = createStripeProvider(provider.account, () => {});
  let leave = async () => {};
  const app = await openTestApp({
    database: 'own',
    payments: {
      ...payments,
      async openCheckout(about) {
        await leave();
        return payments.openCheckout(about);
      },
    },
  });
  await insertBillingStart(app.database);
  const { token } = await app.newArtist();
  leave = async () => {
    await deleteMe(app.http(token));
    await app.runJobs();
  };
  expect(await refusalOf(startCheckout(app.http(token)))).toMatchObject(NOT_FOUND);
  expect([...provider.checkouts.values()].map(({ status }) => status)).toEqual(['expired']);
});

test('an account that goes takes its subscription along, once the provider can be reached', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  const stays = await app.newArtist();
  const subscription = await billed.subscribe(artist);
  const other = await billed.subscribe(stays);
  await app.runJobs();
  provider.be('failing');
  await deleteMe(app.http(artist.token));
  await app.runJobs();
  expect(provider.subscriptions.get(subscription.id)?.status).toBe('trialing');
  provider.be('well');
  await retryFailedJobs(app);
  expect(provider.subscriptions.get(subscription.id)?.status).toBe('canceled');
  expect(provider.subscriptions.get(other.id)?.status).toBe('trialing');
  // Once more changes nothing.
  await app.runJobs();
});

test('an account that goes closes the checkout that is open', async () => {
  const billed = await openBilledTestApp();
  const { provider, app } = billed;
  const artist = await app.newArtist();
  await startCheckout(artist.http);
  await deleteMe(app.http(artist.token));
  await app.runJobs();
  expect([...provider.checkouts.values()].map(({ status }) => status)).toEqual(['expired']);
});
