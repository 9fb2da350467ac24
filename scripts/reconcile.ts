// `npm run reconcile`: compares subscriptions with the payment provider's, and mends what differs.

import { openContext } from '#server/context.ts';
import { findBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { createLog } from '#server/log/log.ts';
import { reconcileSubscriptions } from '#server/operations/payments/reconcile_subscriptions.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';

await runCommand(run);

/** @returns whether both sides agree now */
async function run(): Promise<boolean> {
  const config = readConfig(process.env);
  if (!config.billing)
    throw new ConfigError('Billing is off: STRIPE_SECRET_KEY and what goes with it are not set.');
  // A server of this machine may be running on the bundled database.
  const databaseUrl =
    config.database.kind === 'bundled' ? await findBundledPostgres(config.dataDir) : undefined;
  await using resources = new AsyncDisposableStack();
  const { context } = await openContext(
    config,
    {
      log: createLog(config.log),
      servesPages: false,
      ...(databaseUrl !== undefined && { databaseUrl }),
    },
    resources,
  );
  const differences = await reconcileSubscriptions(context);
  for (const { message: what, isResolved: isMended } of differences)
    console.log(`${what}${isMended ? ' Mended.' : ''}`);
  const left = differences.filter(({ isResolved: isMended }) => !isMended).length;
  const found = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  console.log(`${found} found, ${differences.length - left} mended.`);
  return left === 0;
}
