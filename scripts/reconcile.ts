// `npm run reconcile`: compares subscriptions with the payment provider's, and mends differences.
import { pluralize } from '#domain/time/duration.ts';
import { openContext } from '#server/context.ts';
import { findBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { createLog } from '#server/log/log.ts';
import { reconcileSubscriptions } from '#server/operations/payments/reconcile_subscriptions.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';

// Succeeds if both sides agree at the end.
await runCommand(async () => {
  const config = readConfig(process.env);
  if (!config.billing)
    throw new ConfigError('Billing is off: STRIPE_SECRET_KEY and what goes with it are not set.');
  // If a server on this machine runs the bundled database, use that one: two cannot run on one folder.
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
  for (const { message, isResolved } of differences)
    console.log(`${message}${isResolved ? ' Mended.' : ''}`);
  const mended = differences.filter(({ isResolved }) => isResolved).length;
  console.log(`${pluralize(differences.length, 'difference')} found, ${mended} mended.`);
  return mended === differences.length;
});
