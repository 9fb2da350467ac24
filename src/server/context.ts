/** The composition root: opens the parts of our server, and connects them. */
import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Instant } from '#domain/time/time.ts';
import { senderAddress } from '#server/mail/nodemailer_message.ts';
import { createBackupHandlers } from './backup_tasks.ts';
import { type CacheStore, createCacheStore } from './cache/cache_store.ts';
import type { CdnAdapter } from './cache/cdn/cdn_adapter.ts';
import { createCdns } from './cache/cdn/cdns.ts';
import { createHttpCache } from './cache/http_cache.ts';
import { createPublisher, openInvalidationChannel } from './cache/invalidation_channel.ts';
import { createPurgeRetry } from './cache/purge_retry.ts';
import { findLastBackup } from './database/backups.ts';
import { startBundledPostgres } from './database/bundled/bundled_postgres.ts';
import { ensureDataDirectory } from './database/bundled/data_directory.ts';
import {
  CONNECTIONS_BESIDE_POOL,
  type Database,
  databaseOf,
  MAIL_CONNECTIONS,
  openPool,
} from './database/connect.ts';
import { guardPool } from './database/database_guard.ts';
import { monitorDatabase } from './database/database_monitor.ts';
import { OtherVersion } from './database/database_versions.ts';
import { migrate } from './database/migrate.ts';
import { formatPostgresError } from './database/postgres_failure.ts';
import { readPostgresVersion } from './database/postgres_version.ts';
import { loadLastMigration, loadQueueSizes } from './database/queue_sizes.ts';
import { openReplicaReader } from './database/replica.ts';
import { insertBillingStart } from './database/subscriptions.ts';
import { type App, type ConnectDirectly, createApp } from './http/app.ts';
import { createHttpHandler } from './http/http_server.ts';
import { createLoadShedding } from './http/load_shedding.ts';
import { noteArtist } from './http/request_context.ts';
import type { BuiltSite } from './http/site.ts';
import { createDiskExportStore, createDiskStore } from './images/disk_store.ts';
import type { ExportStore } from './images/export_store.ts';
import type { ImageStore } from './images/image_store.ts';
import { createSharpPictureEncoder } from './images/sharp_picture_encoder.ts';
import { createSharpShareCardRenderer } from './images/sharp_share_card_renderer.ts';
import { createJobHandlers } from './jobs/handlers.ts';
import type { JobHandlers, JobQueue, JobRunner } from './jobs/jobs.ts';
import { openJobRunner } from './jobs/queue.ts';
import { createErrorRecorder } from './log/error_recorder.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMailer } from './mail/open_mailer.ts';
import { NO_METRICS } from './metrics/metrics.ts';
import type { PoolUse, PrometheusMetrics } from './metrics/prometheus_metrics.ts';
import { change } from './operations/change.ts';
import type { Context } from './operations/context.ts';
import { findSiteAsset } from './operations/site_assets.ts';
import type { PaymentProvider } from './payments/payment_provider.ts';
import { createServerInspection, readDisk, readVersion } from './server_inspection.ts';
import { type Config, rethrowAsConfigError } from './settings/config.ts';
import { readTokenKeys } from './settings/secret_key.ts';
import { prepareUploadFolder } from './upload_folder.ts';
import { createUploadSpace } from './upload_space.ts';

/** The parts of our server, all but its port and its signal handlers. */
export interface ServerContext {
  /** The services and settings that operations use. */
  readonly context: Context;
  readonly app: App;
  readonly connectDirectly: ConnectDirectly;
  readonly jobHandlers: JobHandlers;
  /** Undefined without `METRICS_PORT`. */
  readonly metrics: PrometheusMetrics | undefined;
  /** Starts to run jobs in this process. */
  startJobs(): Promise<void>;
  /** @param site the pages; undefined serves the API alone */
  createHandler(site: BuiltSite | undefined): RequestListener;
}

/** The log, and replacements for parts of our server, mostly in tests. The caller closes the parts that it passes. */
export interface ContextOverrides {
  readonly log: Logger;
  /** Aborts `openContext`, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** The URL of a bundled database that another process runs. */
  readonly databaseUrl?: string;
  /** A connection pool of a migrated database; `databaseUrl` is then ignored. */
  readonly database?: OpenedDatabase;
  /** False for a command, which serves no pages: it sends cache invalidations and receives none. */
  readonly servesPages?: boolean;
  /** The caller runs the jobs of this queue itself. */
  readonly jobs?: JobQueue;
  readonly images?: ImageStore;
  readonly mailer?: Mailer;
  readonly payments?: PaymentProvider;
  /** One adapter that stands for all CDNs. */
  readonly cdns?: CdnAdapter;
  /** Replaces `Date.now` in the HTTP cache. */
  readonly clock?: () => Instant;
  /** Called with the tags of each invalidation that this process causes. */
  readonly onInvalidate?: (tags: readonly string[]) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens the parts of our server, or of a command such as `reconcile`.
 * @param resources receives each opened part; disposing it closes them, the last one first
 * @throws ConfigError when a setting cannot work, such as a database that cannot be reached
 */
export async function openContext(
  config: Config,
  overrides: ContextOverrides,
  resources: AsyncDisposableStack,
): Promise<ServerContext> {
  const { log, signal, clock = Date.now, servesPages = true } = overrides;
  const dataDir = await rethrowAsConfigError(ensureDataDirectory(config.dataDir));
  const { database, mailDatabase, url, readPoolUse }: OpenedDatabase =
    overrides.database ?? (await openMigratedDatabase(config, overrides, dataDir, resources));
  const imageFolder = join(dataDir, 'media');
  await mkdir(imageFolder, { recursive: true, mode: 0o700 });
  const { images, exportFiles } = await openStores(config, dataDir, imageFolder);
  const mailer = overrides.mailer ?? openMailer(config, dataDir, log);
  if (!overrides.mailer) resources.defer(() => mailer.close());
  const cacheStore = createCacheStore(config.pageCacheBytes);
  const metrics = config.metrics && (await openMetrics(database, readPoolUse, cacheStore, dataDir));
  const channel = servesPages
    ? await openInvalidationChannel({ database, url, cache: cacheStore, log })
    : // Nobody tells this process how current a replica must be: undefined makes it read the primary.
      { ...createPublisher({ database, log }), requiredLsn: () => undefined };
  resources.defer(() => channel.stop());
  const replica = openReplicaReader({
    primary: database,
    url: config.replicaUrl,
    maxConnections: config.databaseConnections,
    requiredLsn: channel.requiredLsn,
    log,
  });
  resources.defer(() => replica.stop());
  const jobs: JobRunner = overrides.jobs
    ? { ...overrides.jobs, start: async () => {}, stop: async () => {} }
    : await openJobRunner(url, log);
  resources.defer(() => jobs.stop());
  const cdns = overrides.cdns ?? createCdns(config.cdn);
  const purgeRetry = createPurgeRetry({
    cdns,
    enqueue: (tags) =>
      change({ database, invalidate: async () => {} }, { invalidates: [] }, (inChange) =>
        jobs.enqueue(inChange.database, [{ kind: 'purge', tags }]),
      ),
    log,
  });
  resources.defer(() => purgeRetry.stop());
  // Never rejects: the channel and `purgeRetry` repeat failed attempts in the background.
  const invalidate = async (tags: readonly string[]) => {
    if (tags.length === 0) return;
    overrides.onInvalidate?.(tags);
    cacheStore.invalidate(tags);
    await channel.publish(tags);
    // CDNs come last: they fetch pages again from the servers, whose caches must be invalidated before.
    await purgeRetry.purge(tags);
  };

  // Starting the bundled PostgreSQL locked the data directory, so no other server uses it.
  const ownsDataDirectory =
    config.database.kind === 'bundled' && overrides.databaseUrl === undefined;
  const context: Context = {
    database,
    readFromReplica: replica.read,
    images: overrides.images ?? images,
    exportFiles,
    encoder: createSharpPictureEncoder(),
    invalidate,
    shareCards: createSharpShareCardRenderer(),
    uploadFolder: await prepareUploadFolder(dataDir, { ownsDataDirectory, now: Date.now() }),
    uploadSpace: createUploadSpace(),
    log,
    metrics: metrics ?? NO_METRICS,
    noteArtist,
    recordError: createErrorRecorder(database),
    server: createServerInspection(config, dataDir, process.env),
    mailer,
    mailDeliveries: new Map(),
    jobs,
    payments: overrides.payments ?? (await openPaymentProvider(config, database, log)),
    hasLimitsPerTime: config.hasLimitsPerTime,
    refusedEvents: new Map(),
    site: {
      productName: config.productName,
      siteUrl: config.siteUrl,
      apiUrl: config.publicApiUrl || config.siteUrl,
      senderEmail: senderAddress(config.mailFrom),
    },
    retention: config.retention,
    confirmationDeadlines: { holdMinutes: config.holdMinutes, offerHours: config.offerHours },
    tokenKeys: await readTokenKeys(config, dataDir),
  };
  const { app, connectDirectly } = createApp(context, config);
  const loadShedding = createLoadShedding(config.hasLimitsPerTime);
  const jobHandlers = {
    ...createJobHandlers(context, { ...context, database: mailDatabase ?? database }, purgeRetry),
    ...createBackupHandlers(config, dataDir, url, context),
  };
  signal?.throwIfAborted();
  return {
    context,
    app,
    connectDirectly,
    jobHandlers,
    metrics,
    startJobs: () => jobs.start(jobHandlers, loadShedding.isBusy),
    createHandler: (site) =>
      createHttpHandler({
        app,
        connectDirectly,
        imageFolder,
        site,
        findAsset: (name) => findSiteAsset(database, name),
        cache: createHttpCache(cacheStore, clock, log, cdns?.cdnHeaders),
        allowedOrigins: config.allowedOrigins,
        trustedProxies: config.trustedProxies,
        visitorKey: config.visitorKey,
        isHttpsOnly: new URL(config.siteUrl).protocol === 'https:',
        onRequestEnd: metrics?.observeRequest,
        loadShedding,
        recordError: context.recordError,
        log,
      }),
  };
}

interface OpenedDatabase {
  readonly database: Database;
  /** The same database, on the connection of mails. */
  readonly mailDatabase?: Database;
  readonly url: string;
  /** Undefined for a database that the caller of `openContext` has opened. */
  readonly readPoolUse?: () => PoolUse;
}

/** Creates the metrics of this process. Prometheus asks for them; the gauges are read only then. */
async function openMetrics(
  database: Database,
  readPoolUse: (() => PoolUse) | undefined,
  cacheStore: CacheStore,
  dataDir: string,
): Promise<PrometheusMetrics> {
  // Imported only here: without `METRICS_PORT`, nothing needs prom-client.
  const { createPrometheusMetrics } = await import('./metrics/prometheus_metrics.ts');
  return createPrometheusMetrics({
    build: { version: await readVersion(), migration: await loadLastMigration(database) },
    pageCache: cacheStore,
    pool: readPoolUse,
    queues: () => loadQueueSizes(database),
    lastBackupAt: async () => (await findLastBackup(database))?.finishedAt,
    disk: () => readDisk(dataDir),
  });
}

/** Runs the pending migrations, which may take a while, and opens a connection pool, and one for mails. */
async function openMigratedDatabase(
  config: Config,
  overrides: ContextOverrides,
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<OpenedDatabase> {
  const url =
    overrides.databaseUrl ?? (await findOrStartPostgres(config, overrides, dataDir, resources));
  const migrateOptions = { allowsNewer: config.allowsNewerDatabase, log: overrides.log };
  await rethrowAsConfigError(migrate(url, migrateOptions), (error) =>
    error instanceof OtherVersion ? error.message : formatPostgresError(error, url),
  );
  overrides.signal?.throwIfAborted();
  const pool = openPool(url, config.databaseConnections - CONNECTIONS_BESIDE_POOL);
  const mailPool = openPool(url, MAIL_CONNECTIONS);
  const [guard, mailGuard] = [guardPool(pool), guardPool(mailPool)];
  const isInUse = ({ idleCount, totalCount, waitingCount }: pg.Pool) =>
    idleCount < totalCount || waitingCount > 0;
  const database = databaseOf(pool, guard.connect);
  const mailDatabase = databaseOf(mailPool, mailGuard.connect);
  resources.defer(() => database.destroy());
  resources.defer(() => mailDatabase.destroy());
  const monitor = monitorDatabase({
    url,
    onHang() {
      guard.refuseWork();
      mailGuard.refuseWork();
    },
    onEnd() {
      guard.acceptWork();
      mailGuard.acceptWork();
    },
    isNeeded: () => isInUse(pool) || isInUse(mailPool),
    log: overrides.log,
  });
  resources.defer(() => monitor.stop());
  const readPoolUse = () => ({
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  return { database, mailDatabase, url, readPoolUse };
}

/**
 * Returns DATABASE_URL if it is set; else starts the bundled PostgreSQL and returns its URL.
 * @throws ConfigError when no PostgreSQL of a supported version answers there
 */
export async function findOrStartPostgres(
  config: Config,
  { signal, log }: Pick<ContextOverrides, 'signal' | 'log'>,
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<string> {
  if (config.database.kind === 'url') {
    const { url } = config.database;
    await rethrowAsConfigError(readPostgresVersion(url, CONNECT_TIMEOUT_MS), (error) =>
      formatPostgresError(error, url),
    );
    return url;
  }
  const postgres = await rethrowAsConfigError(
    startBundledPostgres({ dataDir, log, ...(signal && { signal }) }),
  );
  resources.defer(() => postgres.stop());
  signal?.throwIfAborted();
  return postgres.url;
}

/** Stores images and exports in an S3 bucket if one is configured, otherwise in folders. */
export async function openStores(
  { bucket, publicApiUrl }: Config,
  dataDir: string,
  imageFolder: string,
): Promise<{ images: ImageStore; exportFiles: ExportStore }> {
  if (!bucket)
    return {
      images: createDiskStore(imageFolder, publicApiUrl),
      exportFiles: createDiskExportStore(join(dataDir, 'exports')),
    };
  // Imported only here, because the S3 client package is large and few servers use it.
  const { createS3ExportStore, createS3Store } = await import('./images/s3_store.ts');
  return { images: createS3Store(bucket), exportFiles: createS3ExportStore(bucket) };
}

/** Returns undefined when billing is off. Otherwise also stores when billing was first enabled. */
async function openPaymentProvider(
  { billing }: Config,
  database: Database,
  log: Logger,
): Promise<PaymentProvider | undefined> {
  if (!billing) return undefined;
  await insertBillingStart(database);
  // Imported only here, because Stripe's package is large and few servers use it.
  const { createStripeProvider } = await import('./payments/stripe.ts');
  return createStripeProvider(billing, log);
}
