import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openJobRunner } from '#server/jobs/queue.ts';
import { openBilledTestApp } from '#support/billed_test_app.ts';
import { createSubscription } from '#support/fake_stripe_objects.ts';
import { openTestApp } from '#support/test_app.ts';

const TIMEOUT_MS = 90_000;

test('a minutely job of a killed server does not block the next ones', {
  timeout: 2 * TIMEOUT_MS,
}, async () => {
  const { databaseUrl } = await openTestApp({ database: 'own' });
  const killed = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  killed.on('error', () => {});
  await killed.start();
  onTestFinished(() => killed.stop({ graceful: false }));
  await killed.send('minute', {});
  expect(await killed.fetch('minute')).toHaveLength(1);
  await killed.send('minute', {});

  const runner = await openJobRunner(databaseUrl, () => {});
  onTestFinished(() => runner.stop());
  const everyMinute = vi.fn(async () => {});
  const noop = async () => {};
  const handlers = { mail: noop, payment: noop, cancel_subscription: noop, purge: noop };
  await runner.start({
    run: handlers,
    deadLetter: handlers,
    everyMinute,
    everyDay: async () => {},
  });
  await vi.waitFor(() => expect(everyMinute).toHaveBeenCalled(), {
    timeout: TIMEOUT_MS,
    interval: 200,
  });
});

test('a payment event that cannot be handled is logged', async () => {
  const { provider, app } = await openBilledTestApp();
  const subscription = createSubscription(
    'sub_1',
    'cus_1',
    provider.account.priceId,
    1_800_000_000,
  );
  await sql`ALTER TABLE subscriptions RENAME TO elsewhere`.execute(app.database);
  await provider.send(provider.event('customer.subscription.created', subscription));
  await app.runJobs();
  await sql`ALTER TABLE elsewhere RENAME TO subscriptions`.execute(app.database);
  expect(app.logged).toEqual([
    expect.stringMatching(
      /^Jobs: handling a payment event failed \(trying again\): error: relation "subscriptions"/,
    ),
  ]);
});
