/** Starts our HTTP server in this process, which serves alone or is one of several workers. */
import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { seedDemoArtists } from '#demo/seed.ts';
import { readSiteSettings } from '../site_settings.ts';
import { readBundledDatabaseUrl } from './cluster.ts';
import { openContext } from './context.ts';
import { saveImageStore } from './database/image_stores.ts';
import { listen } from './http/listen.ts';
import { loadSite } from './http/site.ts';
import { identifyStore } from './images/store_identity.ts';
import type { PrometheusMetrics } from './metrics/prometheus_metrics.ts';
import { replayErasures } from './operations/clients/replay_erasures.ts';
import { publishSiteAssets } from './operations/site_assets.ts';
import { ensureSuperuser } from './operations/studio/accounts.ts';
import { enqueueMissingAvif } from './operations/studio/encode_avif.ts';
import { renameZones } from './operations/studio/zone_names.ts';
import type { Config } from './settings/config.ts';
import { createDrainableServer, type Shutdown } from './shutdown.ts';

/** Longer than proxies keep idle connections: if we closed first, a request could get lost. */
const KEEP_ALIVE_MS = 65_000;
const SAVE_IMAGE_STORE_INTERVAL_MS = 10 * 60_000;
const PUBLISH_ASSETS_INTERVAL_MS = 6 * 60 * 60_000;

/**
 * @param buildPath the site's build; undefined serves the API alone
 * @returns the port; the operating system has chosen it if the setting is 0
 */
export async function startServer(
  config: Config,
  buildPath: string | undefined,
  shutdown: Shutdown,
  log: Logger,
): Promise<number> {
  const { signal, resources } = shutdown;
  const databaseUrl = readBundledDatabaseUrl();
  const { context, startJobs, createHandler, metrics } = await openContext(
    config,
    { log, signal, ...(databaseUrl !== undefined && { databaseUrl }) },
    resources,
  );
  if (metrics && config.metrics) await offerMetrics(metrics, config.metrics, resources, log);
  // A restore that was killed at its end may have left people who had been deleted.
  await replayErasures(context);
  await renameZones(context);
  if (config.demo) await seedDemoArtists(context);
  await enqueueMissingAvif(context);
  if (config.superuser) await ensureSuperuser(context, config.superuser);
  const siteSettings = readSiteSettings((name) => process.env[name], config.siteUrl);
  const site = buildPath === undefined ? undefined : await loadSite(buildPath, siteSettings, log);
  signal.throwIfAborted();
  await startJobs();
  // The doctors of other servers compare it with their own: all must store pictures in one place.
  const store = await identifyStore(config.bucket, join(resolve(config.dataDir), 'media'));
  await repeat(
    () => saveImageStore(context.database, { ...store, server: hostname() }),
    SAVE_IMAGE_STORE_INTERVAL_MS,
    resources,
    (err) =>
      log.error(
        { err, component: 'Images' },
        'Storing the place of pictures failed (trying again in 10 min)',
      ),
  );
  // Servers with another build send our scripts and styles too. A job deletes those that no server has
  // stored for a week.
  if (site)
    await repeat(
      () => publishSiteAssets(context.database, site.assets),
      PUBLISH_ASSETS_INTERVAL_MS,
      resources,
      (err) =>
        log.error(
          { err, component: 'Site' },
          'Storing the files of the build failed (trying again in 6 h)',
        ),
    );
  // The streams of requests without a body, which nothing reads, took a tenth of the time of a cached page.
  const { server, drain } = createDrainableServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, optimizeEmptyRequests: true },
    createHandler(site),
  );
  const settings = { host: 'HOST', port: 'PORT' };
  const port = await listen(server, { host: config.host, port: config.port, settings });
  // Happens when no file descriptor is left for a new connection; open connections continue.
  server.on('error', (error) =>
    log.error({ err: error, component: 'Server' }, 'Accepting a connection failed'),
  );
  resources.defer(() => drain(shutdown.drainTimes(config.stopDelaySeconds)));
  return port;
}

/**
 * Does work now, and again after each interval.
 * @param resources receives the function that stops the repetition
 * @param onError called when a repetition fails; the first time, the error is thrown
 */
async function repeat(
  work: () => Promise<void>,
  intervalMs: number,
  resources: AsyncDisposableStack,
  onError: (error: unknown) => void,
): Promise<void> {
  await work();
  const timer = setInterval(() => void work().catch(onError), intervalMs);
  resources.defer(() => clearInterval(timer));
}

/** Serves the metrics of this process; a worker sends them to the primary process, which serves all. */
async function offerMetrics(
  metrics: PrometheusMetrics,
  address: NonNullable<Config['metrics']>,
  resources: AsyncDisposableStack,
  log: Logger,
): Promise<void> {
  // Both modules are imported only here: without `METRICS_PORT`, nothing needs them.
  if (!cluster.isWorker) {
    const { openMetricsPort } = await import('./http/open_metrics_port.ts');
    return openMetricsPort(address, () => metrics.format(), resources, log);
  }
  const { sendMetricsToPrimary } = await import('./metrics/worker_metrics.ts');
  await sendMetricsToPrimary(() => metrics.toJson(), resources);
}
