import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { siteSettings } from '../settings.ts';
import { createApp } from './app.ts';
import { adviceOn, type Config, ConfigError, readConfig } from './config.ts';
import { openDataDirectory } from './database/bundled/data-directory.ts';
import { startBundledPostgres } from './database/bundled.ts';
import { openClears } from './database/clears.ts';
import { type Database, errorCode, openDatabase } from './database/connect.ts';
import { fillDemo } from './database/demo/fill.ts';
import { migrate } from './database/migrate.ts';
import { openReads } from './database/reads.ts';
import { findSiteAsset } from './database/site_assets.ts';
import { rememberBilling } from './database/subscriptions.ts';
import { createEdge } from './edge/edge.ts';
import { openPurge } from './edge/open_purge.ts';
import { createPageCache } from './edge/page_cache.ts';
import { createFront } from './front.ts';
import { createDiskStore } from './images/disk_store.ts';
import { createSharpCardDrawer } from './images/sharp_card_drawer.ts';
import { createSharpEncoder } from './images/sharp_encoder.ts';
import type { ImageStore } from './images/store.ts';
import { openWorkshop } from './jobs/boss.ts';
import { openMailer } from './mail/open.ts';
import { createAfterwards } from './operations/afterwards.ts';
import { createFinisher } from './operations/finish_pictures.ts';
import { createHandlers } from './operations/jobs.ts';
import { createPurging } from './operations/purging.ts';
import { publishSiteAssets } from './operations/site_assets.ts';
import { ensureSuperuser } from './operations/superuser.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { createMailboxLimit, createMailLimit } from './rate_limit.ts';
import { readSecret } from './secret.ts';
import { type Ending, failOnUncaughtErrors, followConnections, listenForEnd } from './shutdown.ts';
import { isRendering, loadSite, type Site } from './site.ts';
import { openUploads } from './uploads.ts';

/** The build to serve; `scripts/build.ts` replaces the link. */
const BUILD = join(import.meta.dirname, '../../dist/current');
const REACH_MS = 10_000;
/** Longer than proxies keep a connection that is idle: the one who closes first must be the proxy. */
const KEEP_ALIVE_MS = 65_000;
const OLDEST_POSTGRES = 15;
const ASSETS_EVERY_MS = 6 * 60 * 60_000;

const log = (line: string) => console.log(line);

/** Brings everything up, serves until told to end, and takes everything down in the opposite order. */
async function main(end: Ending): Promise<void> {
  const { signal } = end;
  const config = readConfig(process.env);
  const apiOnly = process.argv.includes('--api-only');
  if (!apiOnly && !existsSync(join(BUILD, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  await using running = new AsyncDisposableStack();
  const started = bringUp(config, apiOnly, running, end);
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    // A bundled database is stopped at rest, when it has started; another one may never answer.
    await (config.database.kind === 'bundled' ? started : Promise.race([started, ended]));
    await ended;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  log(`Stopping (${signal.reason}) …`);
}

async function bringUp(
  config: Config,
  apiOnly: boolean,
  running: AsyncDisposableStack,
  end: Ending,
): Promise<void> {
  const { signal } = end;
  const dataDir = await inWords(openDataDirectory(config.dataDir));
  const url = await openPostgres(config, dataDir, running, signal);
  await migrate(url);
  signal.throwIfAborted();
  const database = openDatabase(url);
  running.defer(() => database.destroy());
  const media = join(dataDir, 'media');
  await mkdir(media, { recursive: true });
  const images = await openImages(config, media);
  const encoder = createSharpEncoder();
  const cache = createPageCache(config.pageCacheBytes);
  const clears = await openClears({ database, url, cache, log });
  running.defer(() => clears.stop());
  const mailer = openMailer(config, dataDir, log);
  running.defer(() => mailer.close());
  const workshop = await openWorkshop(url, log);
  running.defer(() => workshop.stop());
  const purge = openPurge(config.caches);
  const purging = createPurging({ clearOurs: clears.clear, purge, database, jobs: workshop, log });
  running.defer(() => purging.stop());
  const { clear } = purging;
  const finisher = createFinisher({ database, images, encoder, clear, log });
  running.defer(() => finisher.stop());
  const afterwards = createAfterwards(log);
  running.defer(() => afterwards.idle());
  const { upTo } = clears;
  const reads = openReads({ primary: database, url: config.readUrl, upTo, log });
  running.defer(() => reads.stop());
  const parts = {
    database,
    read: reads.read,
    images,
    encoder,
    finisher,
    clear,
    cards: createSharpCardDrawer(),
    uploads: await openUploads(dataDir, config.database.kind === 'bundled', Date.now()),
    log,
    mailer,
    jobs: workshop,
    payments: await openPayments(config, database),
    mayMail: config.rateLimit ? createMailLimit() : async () => true,
    spendMailbox: config.rateLimit ? createMailboxLimit() : async () => {},
    site: { productName: config.productName, siteUrl: config.siteUrl },
    afterwards,
    terms: { holdMinutes: config.holdMinutes, offerHours: config.offerHours },
    secret: await readSecret(config.secretKey, dataDir),
  };
  if (config.demo) await fillDemo(parts);
  finisher.sweep();
  if (config.superuser) await ensureSuperuser(parts, config.superuser);

  const app = createApp(parts, config, log);
  const site = apiOnly
    ? undefined
    : await loadSite(
        BUILD,
        siteSettings((name) => process.env[name], config.siteUrl),
      );
  signal.throwIfAborted();
  await workshop.work(createHandlers(parts, purging));
  const edge = createEdge(cache, Date.now, log, purge?.hints);
  const { allowedOrigins } = config;
  if (site) running.defer(await keepSiteAssetsPublished(database, site));
  const front = createFront({
    app,
    mediaFolder: media,
    site,
    findAsset: (name) => findSiteAsset(database, name),
    edge,
    allowedOrigins,
    log,
  });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, front);
  const drain = followConnections(server);
  const port = await listen(server, config);
  // Such as no file descriptor left for a new connection: those that are open go on.
  server.on('error', (error) => log(`Server: accepting a connection failed: ${error}`));
  running.defer(() => drain(end.drainMs));
  announce(config, port);
}

/**
 * Stores the files of the site's build for other servers and later builds, and says a few times a day
 * that they are in use.
 * @returns stops that
 */
async function keepSiteAssetsPublished(database: Database, { assets }: Site): Promise<() => void> {
  await publishSiteAssets(database, assets);
  const timer = setInterval(() => {
    publishSiteAssets(database, assets).catch((error: unknown) =>
      log(`Site: storing the build's files failed (trying again in 6 h): ${error}`),
    );
  }, ASSETS_EVERY_MS);
  return () => clearInterval(timer);
}

/** Files under a folder, or the bucket that is set. */
async function openImages({ bucket, publicApiUrl }: Config, media: string): Promise<ImageStore> {
  if (!bucket) return createDiskStore(media, publicApiUrl);
  // Its library is large, and most places keep their images on their disk.
  const { createS3Store } = await import('./images/s3_store.ts');
  return createS3Store(bucket);
}

/** The card provider that is set; undefined while billing is off. */
async function openPayments(
  { billing }: Config,
  database: Database,
): Promise<PaymentProvider | undefined> {
  if (!billing) return undefined;
  await rememberBilling(database);
  // Its library is large, and most places take no subscriptions.
  const { createStripe } = await import('./payments/stripe.ts');
  return createStripe(billing, log);
}

/** The database's address, once it answers. */
async function openPostgres(
  { database }: Config,
  dataDir: string,
  running: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<string> {
  if (database.kind === 'url') {
    await reach(database.url);
    return database.url;
  }
  const postgres = await inWords(startBundledPostgres({ dataDir, log, signal }));
  running.defer(() => postgres.stop());
  signal.throwIfAborted();
  return postgres.url;
}

async function reach(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: REACH_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const version = rows[0]?.server_version ?? '';
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
      throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_POSTGRES} is the oldest we know`);
  } catch (error) {
    const why = (error instanceof Error && error.message) || errorCode(error);
    throw new ConfigError(`The database of DATABASE_URL cannot be used: ${why}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

/** What goes wrong with folders and with the bundled database is told in sentences already. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    throw new ConfigError(error.message, { cause: error });
  }
}

async function listen(server: Server, { host, port }: Config): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = errorCode(error);
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken on ${host}. Stop what listens there, or set PORT to another one.`
        : code === 'EACCES'
          ? `This user may not listen on port ${port}. Set PORT to 1024 or above.`
          : `Cannot listen on ${host} (${code}). Set HOST to an address of this machine.`,
      { cause: error },
    );
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function announce(config: Config, port: number): void {
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  log(`\n  ${config.productName} is ready at ${origin}`);
  log(`  API   ${origin}/api/v1/openapi.json`);
  for (const line of adviceOn(config)) log(`  ${line}`);
  if (!config.demo) return;
  log(`  Demo  ${origin}/ana  ${origin}/bo  ${origin}/cleo`);
  log('  Log in as ana@example.com, bo@example.com or cleo@example.com; password: tattoo-demo\n');
}

const end = listenForEnd();
// Astro logs what a page leaves unhandled, such as the body of a client that hung up.
failOnUncaughtErrors(end, isRendering);
try {
  await main(end);
  log('Stopped.');
  process.exit(end.isFailure ? 1 : 0);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
