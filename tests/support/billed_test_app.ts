import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { PaymentPage } from '#contract/billing.ts';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import { createStripeProvider } from '#server/payments/stripe.ts';
import { type ApiResponse, expectOk } from './call_api.ts';
import { type FakeStripe, openFakeStripe } from './fake_stripe.ts';
import type { StripeSubscription } from './fake_stripe_objects.ts';
import type { TestArtist } from './new_artist.ts';
import { openTestApp, type TestApp } from './test_app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A studio where artists pay, and whom they pay through, who tells it all that happens. */
export interface BilledTestApp {
  readonly app: TestApp;
  readonly provider: FakeStripe;
  /** The same provider as the server reaches it. */
  readonly payments: PaymentProvider;
  /** What was logged of the card provider. */
  readonly providerLogs: readonly string[];
  /** Artists as they see themselves, once all that was told is handled. */
  loadSelf(artist: TestArtist): Promise<CurrentArtist>;
  /** Has the artist subscribe; answers what they subscribed to. */
  subscribe(artist: TestArtist): Promise<StripeSubscription>;
  /** Tells the webhook something as it is. */
  postWebhook(body: string, signature?: string): Promise<ApiResponse>;
}

/** Opens both for the test that runs; they are gone when it ends. */
export async function openBilledTestApp(): Promise<BilledTestApp> {
  const provider = await openFakeStripe();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const said: string[] = [];
  const payments = createStripeProvider(provider.account, (line) => said.push(line));
  const app = await openTestApp({ database: 'own', payments });
  await insertBillingStart(app.database);
  const post = (body: string, signature?: string) =>
    app.call('POST /users/webhook', {
      raw: body,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        ...(signature !== undefined && { 'Stripe-Signature': signature }),
      },
    });
  provider.tell(post);
  return {
    app: app,
    provider,
    payments,
    providerLogs: said,
    postWebhook: post,
    async loadSelf({ token }) {
      await app.runJobs();
      return expectOk(app.call<CurrentArtist>('GET /users/me', { token }));
    },
    async subscribe({ token }) {
      const { url } = await expectOk(
        app.call<PaymentPage>('POST /users/create-checkout-session', { token }),
      );
      return provider.subscribe(new URL(url).pathname.split('/').at(-1) ?? '');
    },
  };
}

/** Does now what failed and was to be tried again later. */
export async function retryFailedJobs({ database, runJobs: work }: TestApp): Promise<void> {
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(database);
  await work();
}

/** Makes it so many days since the artist signed up; billing has been on for longer. */
export async function moveSignupBack(
  { database }: TestApp,
  { self }: TestArtist,
  days: number,
): Promise<void> {
  const then = new Date(Date.now() - days * DAY_MS);
  const since = new Date(then.getTime() - DAY_MS);
  await database.updateTable('billing').set({ since }).execute();
  await database
    .updateTable('artists')
    .set({ created_at: then })
    .where('id', '=', self.id)
    .execute();
}

/** Makes it so many days since payments began to fail: everything that was told is that much older. */
export async function moveEventsBack({ database }: TestApp, days: number): Promise<void> {
  const time = sql`${days} * interval '24 hours'`;
  await sql`UPDATE payment_events SET happened_at = happened_at - ${time}`.execute(database);
  await sql`UPDATE subscriptions SET failing_since = failing_since - ${time}`.execute(database);
}
