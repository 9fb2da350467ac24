import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openJobRunner } from '#server/jobs/queue.ts';
import { openBilledTestApp } from '#support/billed_test_app.ts';
import { createSubscription } from '#support/fake_stripe_objects.ts';
import { openTestApp } from '#support/test_app.ts';

const PATIENCE_MS = 90_000;

test('a minute that died with its server does not hold up the next ones', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const { databaseUrl } = await openTestApp({ database: 'own' });
  const dead = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  dead.on('error', () => {});
  await dead.start();
  onTestFinished(() => dead.stop({ graceful: false }));
  await dead.send('minute', {});
  expect(await dead.fetch('minute')).toHaveLength(1);
  await dead.send('minute', {});

  const workshop = await openJobRunner(databaseUrl, () => {});
  onTestFinished(() => workshop.stop());
  const everyMinute = vi.fn(async () => {});
  const idle = async () => {};
  const nothing = { mail: idle, payment: idle, cancel_subscription: idle, purge: idle };
  await workshop.start({
    run: nothing,
    deadLetter: nothing,
    everyMinute,
    everyDay: async () => {},
  });
  await vi.waitFor(() => expect(everyMinute).toHaveBeenCalled(), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
});

test('what the card provider told and cannot be handled is logged', async () => {
  const { provider, app } = await openBilledTestApp();
  const one = createSubscription('sub_1', 'cus_1', provider.account.priceId, 1_800_000_000);
  await sql`ALTER TABLE subscriptions RENAME TO elsewhere`.execute(app.database);
  await provider.send(provider.event('customer.subscription.created', one));
  await app.runJobs();
  await sql`ALTER TABLE elsewhere RENAME TO subscriptions`.execute(app.database);
  expect(app.logged).toEqual([
    expect.stringMatching(
      /^Jobs: handling a payment event failed \(trying again\): error: relation "subscriptions"/,
    ),
  ]);
});
