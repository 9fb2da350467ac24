/** Runs our server, or one of its workers, until the process is asked to stop. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startWorkers } from './cluster.ts';
import { toOrigin } from './http/listen.ts';
import { logRejectionOfPage } from './http/site.ts';
import { createLog } from './log/log.ts';
import { type Config, ConfigError, readConfig } from './settings/config.ts';
import { failOnUncaughtErrors, listenForShutdown, type Shutdown } from './shutdown.ts';

/** A symbolic link to the folder of the current build; `scripts/build.ts` replaces it. */
const BUILD_LINK = join(import.meta.dirname, '../../dist/current');

async function main(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const { signal } = shutdown;
  const buildPath = process.argv.includes('--api-only') ? undefined : BUILD_LINK;
  if (buildPath !== undefined && !existsSync(join(buildPath, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  await using _closedAtTheEnd = shutdown.resources;
  const started = start(config, log, buildPath, shutdown);
  const stopRequested = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    // Even after a stop request, wait until `start` has put the bundled PostgreSQL in the `resources`,
    // else nothing stops it. With DATABASE_URL, do not: `start` may wait forever for the database.
    await (config.database.kind === 'bundled' ? started : Promise.race([started, stopRequested]));
    await stopRequested;
  } catch (error) {
    // A stop request makes `start` fail: only other errors count.
    if (!signal.aborted) throw error;
  }
  log.info(`Stopping (${signal.reason}) …`);
}

async function start(
  config: Config,
  log: Logger,
  buildPath: string | undefined,
  shutdown: Shutdown,
): Promise<void> {
  let port: number;
  if (config.workers > 1 && cluster.isPrimary) {
    if (config.metrics) await serveMetricsOfWorkers(config.metrics, log, shutdown.resources);
    port = await startWorkers(config, shutdown, log);
  } else {
    // Imported only here: the primary process of workers does not need these 65 MB.
    const { startServer } = await import('./start_server.ts');
    port = await startServer(config, buildPath, shutdown, log);
  }
  // The primary process logs this once for all workers.
  if (cluster.isWorker) return;
  logAddresses(config, log, port);
  void logDoctorSummary(config, log, shutdown.signal);
}

/** Logs the trouble that the doctor finds. The server serves meanwhile. */
async function logDoctorSummary(config: Config, log: Logger, signal: AbortSignal): Promise<void> {
  try {
    // Imported only here: a start need not wait for it.
    const { runDoctorChecks, logFindings } = await import('./doctor/doctor.ts');
    const findings = await runDoctorChecks(config, process.env);
    if (signal.aborted) return;
    logFindings(findings, log.child({ component: 'Doctor' }));
  } catch (error) {
    log.error(
      { err: error, component: 'Doctor' },
      'The checks failed (the server serves without them)',
    );
  }
}

async function serveMetricsOfWorkers(
  address: NonNullable<Config['metrics']>,
  log: Logger,
  resources: AsyncDisposableStack,
): Promise<void> {
  // Imported only here: without `METRICS_PORT`, nothing needs prom-client.
  const [{ collectFromWorkers }, { openMetricsPort }] = await Promise.all([
    import('./metrics/worker_metrics.ts'),
    import('./http/open_metrics_port.ts'),
  ]);
  await openMetricsPort(address, collectFromWorkers(), resources, log);
}

function logAddresses(config: Config, log: Logger, port: number): void {
  const origin = toOrigin(config.host, port);
  log.info(`${config.productName} is ready at ${origin}`);
  log.info(`API   ${origin}/api/v1/openapi.json`);
  if (!config.demo) return;
  log.info(`Demo  ${origin}/ana  ${origin}/bo  ${origin}/cleo`);
  log.info('Log in as ana@example.com, bo@example.com or cleo@example.com; password: tattoo-demo');
}

try {
  // Before we listen for signals: reading a secret may wait for a pipe, and a signal should end the wait.
  const config = readConfig(process.env);
  const shutdown = listenForShutdown();
  const log = createLog(config.log);
  failOnUncaughtErrors(shutdown, log, (error) => logRejectionOfPage(log, error));
  await main(config, log, shutdown);
  log.info('Stopped');
  process.exit(shutdown.isFailure ? 1 : 0);
} catch (error) {
  // Imported only here: a server that runs does not need it.
  const { describeFailure } = await import('./log/describe_failure.ts');
  console.error(describeFailure(error, process.env['LOG_LEVEL'] === 'debug'));
  process.exit(1);
}
