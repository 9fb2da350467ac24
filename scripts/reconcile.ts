// `npm run reconcile`: compares subscriptions with the card provider's, and mends what differs.
import { Refusal } from '#domain/refusal.ts';
import { PROBLEMS } from '#server/api/problems.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { findBundledPostgres, startBundledPostgres } from '#server/database/bundled.ts';
import { createTeller } from '#server/database/clears.ts';
import { openDatabase } from '#server/database/connect.ts';
import { migrate } from '#server/database/migrate.ts';
import { openPurge } from '#server/edge/open_purge.ts';
import { openWorkshop } from '#server/jobs/boss.ts';
import { createPurging } from '#server/operations/purging.ts';
import { reconcile } from '#server/operations/reconcile.ts';
import { createStripe } from '#server/payments/stripe.ts';

const log = (line: string) => console.log(line);

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof Refusal;
  console.error(
    error instanceof Refusal ? PROBLEMS[error.reason].detail : isExpected ? error.message : error,
  );
  process.exitCode = 1;
}

/** @returns whether everything is the same now */
async function run(): Promise<boolean> {
  const { billing, database: where, dataDir, caches } = readConfig(process.env);
  if (!billing)
    throw new ConfigError('Billing is off: STRIPE_SECRET_KEY and what goes with it are not set.');
  await using open = new AsyncDisposableStack();
  const url = where.kind === 'url' ? where.url : await openBundled(dataDir, open);
  await migrate(url);
  const database = openDatabase(url, 2);
  open.defer(() => database.destroy());
  const jobs = await openWorkshop(url, log);
  open.defer(() => jobs.stop());
  const payments = createStripe(billing, log);
  const { tell: clearOurs, stop } = createTeller({ database, log });
  open.defer(stop);
  const purging = createPurging({ clearOurs, purge: openPurge(caches), database, jobs, log });
  open.defer(() => purging.stop());
  const { clear } = purging;
  const differences = await reconcile({ database, jobs, payments, clear });
  for (const { what, isMended } of differences) log(`${what}${isMended ? ' Mended.' : ''}`);
  const left = differences.filter(({ isMended }) => !isMended).length;
  const found = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  log(`${found} found, ${differences.length - left} mended.`);
  return left === 0;
}

/** The database of the server that runs, or else it is started for as long as this takes. */
async function openBundled(dataDir: string, open: AsyncDisposableStack): Promise<string> {
  const running = await findBundledPostgres(dataDir);
  if (running !== undefined) return running;
  const postgres = await startBundledPostgres({ dataDir, log });
  open.defer(() => postgres.stop());
  return postgres.url;
}
