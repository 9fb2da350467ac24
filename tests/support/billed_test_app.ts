import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { PaymentPage } from '#contract/billing.ts';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import { createStripeProvider } from '#server/payments/stripe.ts';
import { expectOk } from './call_api.ts';
import { openFakeStripe } from './fake_stripe.ts';
import type { TestArtist } from './new_artist.ts';
import { recordLog } from './recorded_log.ts';
import { openTestApp, type TestApp } from './test_app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type BilledTestApp = Awaited<ReturnType<typeof openBilledTestApp>>['billed'];

/** Opens an app with billing, and the fake card provider that sends it webhook events. */
export async function openBilledTestApp() {
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
  const billed = {
    app,
    provider,
    /** The server's adapter to that provider. */
    payments,
    /** What the adapter logged. */
    providerLogs: logged as readonly string[],
    /** Posts a raw body to the webhook. */
    postWebhook: post,
    /** Handles all queued events, then returns the artist's own record. */
    async loadSelf({ token }: TestArtist) {
      await app.runJobs();
      return expectOk(app.call<CurrentArtist>('GET /users/me', { token }));
    },
    /** Pays for a subscription of the artist and returns it. */
    async subscribe({ token }: TestArtist) {
      const { url } = await expectOk(
        app.call<PaymentPage>('POST /users/create-checkout-session', { token }),
      );
      return provider.subscribe(new URL(url).pathname.split('/').at(-1) ?? '');
    },
  };
  return { billed, ...billed };
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
