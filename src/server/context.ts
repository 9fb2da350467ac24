import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import type { Instant } from '#domain/time.ts';
import { type App, createApp } from './app.ts';
import { createCacheStore } from './cache/cache_store.ts';
import type { CdnAdapter } from './cache/cdn/cdn_adapter.ts';
import { createCdns } from './cache/cdn/cdns.ts';
import { createHttpCache } from './cache/http_cache.ts';
import { createInvalidate } from './cache/invalidation.ts';
import { createPublisher, openInvalidationChannel } from './cache/invalidation_channel.ts';
import { createPurgeRetry } from './cache/purge_retry.ts';
import { type Config, ConfigError } from './config.ts';
import { startBundledPostgres } from './database/bundled/bundled_postgres.ts';
import { openDataDirectory } from './database/bundled/data_directory.ts';
import { type Database, openDatabase } from './database/connect.ts';
import { errorCode } from './database/error_code.ts';
import { migrate } from './database/migrate.ts';
import { openReplicaReader } from './database/replica.ts';
import { findSiteAsset } from './database/site_assets.ts';
import { insertBillingStart } from './database/subscriptions.ts';
import { createHttpHandler } from './http_server.ts';
import { createDiskStore } from './images/disk_store.ts';
import type { ImageStore } from './images/image_store.ts';
import { createSharpPictureEncoder } from './images/sharp_picture_encoder.ts';
import { createSharpShareCardRenderer } from './images/sharp_share_card_renderer.ts';
import { createJobHandlers } from './jobs/handlers.ts';
import type { JobHandlers, JobQueue, JobRunner } from './jobs/jobs.ts';
import { openJobRunner } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMailer } from './mail/open_mailer.ts';
import { createAvifConverter } from './operations/avif_converter.ts';
import { createBackgroundTasks } from './operations/background_tasks.ts';
import type { Context } from './operations/context.ts';
import type { PaymentProvider } from './payments/payment_provider.ts';
import { createArtistMailLimit, createMailboxLimit } from './rate_limit.ts';
import { readOrCreateSecretKey } from './secret_key.ts';
import type { BuiltSite } from './site.ts';
import { openUploadFolder } from './upload_folder.ts';

/** Everything that a server consists of, beside its port and the signals that end it. */
export interface ServerContext {
  readonly operations: Context;
  readonly app: App;
  readonly jobHandlers: JobHandlers;
  /** Starts to run jobs in this process. */
  startJobs(): Promise<void>;
  /** @param site the pages; undefined serves the API alone */
  createHandler(site: BuiltSite | undefined): RequestListener;
}

/** Replaces parts of a server. Whoever passes a part closes it. */
export interface ContextOverrides {
  readonly log?: (line: string) => void;
  /** Ends the opening early, with its reason as the error. */
  readonly signal?: AbortSignal;
  /** The address of a bundled database that runs already. */
  readonly databaseUrl?: string;
  /** An open connection to a migrated database. */
  readonly database?: { readonly database: Database; readonly url: string };
  /** False for a program that only changes data: it publishes invalidations and receives none. */
  readonly servesPages?: boolean;
  readonly jobs?: JobQueue;
  readonly images?: ImageStore;
  readonly mailer?: Mailer;
  readonly payments?: PaymentProvider;
  readonly cdns?: CdnAdapter;
  /** How long an image whose encoding failed waits before each further attempt. */
  readonly imageRetryMs?: readonly number[];
  /** Answers now, for the HTTP cache. */
  readonly clock?: () => Instant;
  /** Called with the tags of every invalidation. */
  readonly onInvalidate?: (tags: readonly string[]) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MIN_POSTGRES_VERSION = 15;

/**
 * The composition root: opens everything that a server or a command consists of.
 * @param resources closes it all, in the opposite order
 * @throws ConfigError when a setting cannot work, such as a database that cannot be reached
 */
export async function openContext(
  config: Config,
  overrides: ContextOverrides,
  resources: AsyncDisposableStack,
): Promise<ServerContext> {
  const { log = console.log, signal, clock = Date.now, servesPages = true } = overrides;
  const dataDir = await asConfigError(openDataDirectory(config.dataDir));
  const { database, url } =
    overrides.database ?? (await openMigratedDatabase(config, overrides, dataDir, resources));
  const imageFolder = join(dataDir, 'media');
  await mkdir(imageFolder, { recursive: true });
  const images = overrides.images ?? (await openImageStore(config, imageFolder));
  const encoder = createSharpPictureEncoder();
  const mailer = overrides.mailer ?? openMailer(config, dataDir, log);
  if (!overrides.mailer) resources.defer(() => mailer.close());

  const cacheStore = createCacheStore(config.pageCacheBytes);
  const channel = servesPages
    ? await openInvalidationChannel({ database, url, cache: cacheStore, log })
    : { ...createPublisher({ database, log }), requiredLsn: () => undefined };
  resources.defer(() => channel.stop());
  const replica = openReplicaReader({
    primary: database,
    url: config.replicaUrl,
    requiredLsn: channel.requiredLsn,
    log,
  });
  resources.defer(() => replica.stop());
  const jobRunner = overrides.jobs ? undefined : await openJobs(url, log, resources);
  const jobs = overrides.jobs ?? jobRunner;
  if (!jobs) throw new Error('There is no job queue');
  const cdns = overrides.cdns ?? createCdns(config.cdn);
  const purgeRetry = createPurgeRetry({
    cdns,
    enqueue: (tags) =>
      database
        .transaction()
        .execute((transaction) =>
          jobs.enqueue(transaction, [{ kind: 'purge', id: tags.join(',') }]),
        ),
    log,
  });
  resources.defer(() => purgeRetry.stop());
  const invalidate = createInvalidate({
    localCache: {
      invalidate(tags) {
        overrides.onInvalidate?.(tags);
        cacheStore.invalidate(tags);
      },
    },
    channel,
    cdns: purgeRetry,
  });

  const finisher = createAvifConverter(
    { database, images, encoder, invalidate, log },
    overrides.imageRetryMs,
  );
  resources.defer(() => finisher.stop());
  const backgroundTasks = createBackgroundTasks(log);
  resources.defer(() => backgroundTasks.idle());
  const isOnlyServer = config.database.kind === 'bundled' && overrides.databaseUrl === undefined;
  const operations: Context = {
    database,
    readFromReplica: replica.read,
    images,
    encoder,
    avifConverter: finisher,
    invalidate,
    shareCards: createSharpShareCardRenderer(),
    uploadFolder: await openUploadFolder(dataDir, isOnlyServer, Date.now()),
    log,
    mailer,
    jobs,
    payments: overrides.payments ?? (await openPaymentProvider(config, database, log)),
    takeMailQuota: config.rateLimit ? createArtistMailLimit() : async () => true,
    spendMailQuota: config.rateLimit ? createMailboxLimit() : async () => {},
    site: { productName: config.productName, siteUrl: config.siteUrl },
    backgroundTasks,
    confirmationTerms: { holdMinutes: config.holdMinutes, offerHours: config.offerHours },
    tokenSecret: await readOrCreateSecretKey(config.secretKey, dataDir),
  };
  const app = createApp(operations, config, log);
  const jobHandlers = createJobHandlers(operations, purgeRetry);
  signal?.throwIfAborted();
  return {
    operations,
    app,
    jobHandlers,
    startJobs: async () => jobRunner?.start(jobHandlers),
    createHandler: (site) =>
      createHttpHandler({
        app,
        imageFolder,
        site,
        findAsset: (name) => findSiteAsset(database, name),
        cache: createHttpCache(cacheStore, clock, log, cdns?.cdnHeaders),
        allowedOrigins: config.allowedOrigins,
        log,
      }),
  };
}

async function openMigratedDatabase(
  { database: where }: Config,
  { databaseUrl, signal, log = console.log }: ContextOverrides,
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<{ database: Database; url: string }> {
  const url =
    databaseUrl ??
    (where.kind === 'url'
      ? await expectPostgres(where.url)
      : await startPostgres(dataDir, log, signal, resources));
  await migrate(url);
  signal?.throwIfAborted();
  const database = openDatabase(url);
  resources.defer(() => database.destroy());
  return { database, url };
}

/** Starts the bundled PostgreSQL; answers its address. */
async function startPostgres(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
  resources: AsyncDisposableStack,
): Promise<string> {
  const postgres = await asConfigError(
    startBundledPostgres({ dataDir, log, ...(signal && { signal }) }),
  );
  resources.defer(() => postgres.stop());
  signal?.throwIfAborted();
  return postgres.url;
}

/** @throws ConfigError when no PostgreSQL of a supported version answers at this address */
async function expectPostgres(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const version = rows[0]?.server_version ?? '';
    if (Number.parseInt(version, 10) < MIN_POSTGRES_VERSION)
      throw new Error(
        `it is PostgreSQL ${version}; the oldest supported version is ${MIN_POSTGRES_VERSION}`,
      );
    return url;
  } catch (error) {
    const reason = (error instanceof Error && error.message) || errorCode(error);
    throw new ConfigError(`The database of DATABASE_URL cannot be used: ${reason}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {});
  }
}

async function openJobs(
  url: string,
  log: (line: string) => void,
  resources: AsyncDisposableStack,
): Promise<JobRunner> {
  const jobRunner = await openJobRunner(url, log);
  resources.defer(() => jobRunner.stop());
  return jobRunner;
}

/** A bucket when one is configured, otherwise a folder. */
async function openImageStore({ bucket, publicApiUrl }: Config, folder: string) {
  if (!bucket) return createDiskStore(folder, publicApiUrl);
  // The library is large, and most servers store images on disk.
  const { createS3Store } = await import('./images/s3_store.ts');
  return createS3Store(bucket);
}

/** The card provider; undefined when billing is off. */
async function openPaymentProvider(
  { billing }: Config,
  database: Database,
  log: (line: string) => void,
): Promise<PaymentProvider | undefined> {
  if (!billing) return undefined;
  await insertBillingStart(database);
  // The library is large, and most servers take no subscriptions.
  const { createStripeProvider: createStripe } = await import('./payments/stripe.ts');
  return createStripe(billing, log);
}

/** Folders and the bundled database throw errors whose messages are for the operator. */
async function asConfigError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    throw new ConfigError(error.message, { cause: error });
  }
}
