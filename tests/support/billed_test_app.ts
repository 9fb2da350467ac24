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
import { recordLog } from './recorded_log.ts';
import { openTestApp, type TestApp } from './test_app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An app with billing, and the fake card provider that sends it webhook events. */
export interface BilledTestApp {
  readonly app: TestApp;
  readonly provider: FakeStripe;
  /** The server's adapter to that provider. */
  readonly payments: PaymentProvider;
  /** What the adapter logged. */
  readonly providerLogs: readonly string[];
  /** Handles all queued events, then returns the artist's own record. */
  loadSelf(artist: TestArtist): Promise<CurrentArtist>;
  /** Pays for a subscription of the artist and returns it. */
  subscribe(artist: TestArtist): Promise<StripeSubscription>;
  /** Posts a raw body to the webhook. */
  postWebhook(body: string, signature?: string): Promise<ApiResponse>;
}

/** Opens both for the current test and closes them when it ends. */
export async function openBilledTestApp(): Promise<BilledTestApp> {
  const provider = await openFakeStripe();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const logged: string[] = [];
  const payments = createStripeProvider(provider.account, recordLog(logged));
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
  provider.setWebhook(post);
  return {
    app,
    provider,
    payments,
    providerLogs: logged,
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

/** Moves the artist's sign-up so many days back; billing began a day before it. */
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

/** Moves all payment events, and the first failed payment, so many days back. */
export async function moveEventsBack({ database }: TestApp, days: number): Promise<void> {
  const period = sql`${days} * interval '24 hours'`;
  await sql`UPDATE payment_events SET happened_at = happened_at - ${period}`.execute(database);
  await sql`UPDATE subscriptions SET failing_since = failing_since - ${period}`.execute(database);
}
