// `npm run reconcile`: compares subscriptions with the payment provider's, and mends what differs.
import { Refusal } from '#domain/refusal.ts';
import { refusalAnswer } from '#server/api/error_answers.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { openContext } from '#server/context.ts';
import { findBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { createLog } from '#server/log.ts';
import { reconcileSubscriptions } from '#server/operations/reconcile_subscriptions.ts';

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  if (error instanceof Refusal) console.error(refusalAnswer(error.reason).detail);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

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
