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
import { rememberBilling } from './database/subscriptions.ts';
import { createEdge } from './edge/edge.ts';
import { openPurge } from './edge/open_purge.ts';
import { createPageCache } from './edge/page_cache.ts';
import { createFront, loadSite } from './front.ts';
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
import { ensureSuperuser } from './operations/superuser.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { createMailboxLimit, createMailLimit } from './rate_limit.ts';
import { readSecret } from './secret.ts';
import { followConnections, listenForEnd } from './shutdown.ts';
import { openUploads } from './uploads.ts';

const DIST = join(import.meta.dirname, '../../dist');
const REACH_MS = 10_000;
/** Longer than proxies keep a connection that is idle: the one who closes first must be the proxy. */
const KEEP_ALIVE_MS = 65_000;
const OLDEST_POSTGRES = 15;

const log = (line: string) => console.log(line);

/** Brings everything up, serves until told to end, and takes everything down in the opposite order. */
async function main(): Promise<void> {
  const end = listenForEnd();
  const config = readConfig(process.env);
  const apiOnly = process.argv.includes('--api-only');
  if (!apiOnly && !existsSync(join(DIST, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  await using running = new AsyncDisposableStack();
  const started = bringUp(config, apiOnly, running, end);
  const ended = end.aborted ? Promise.resolve() : once(end, 'abort');
  try {
    // A bundled database is stopped at rest, when it has started; another one may never answer.
    await (config.database.kind === 'bundled' ? started : Promise.race([started, ended]));
    await ended;
  } catch (error) {
    if (!end.aborted) throw error;
  }
  log(`Stopping (${end.reason}) …`);
}

async function bringUp(
  config: Config,
  apiOnly: boolean,
  running: AsyncDisposableStack,
  end: AbortSignal,
): Promise<void> {
  const dataDir = await inWords(openDataDirectory(config.dataDir));
  const url = await openPostgres(config, dataDir, running, end);
  await migrate(url);
  end.throwIfAborted();
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
        DIST,
        siteSettings((name) => process.env[name], config.siteUrl),
      );
  end.throwIfAborted();
  await workshop.work(createHandlers(parts, purging));
  const edge = createEdge(cache, Date.now, log, purge?.hints);
  const { allowedOrigins } = config;
  const front = createFront({ app, mediaFolder: media, site, edge, allowedOrigins });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, front);
  const drain = followConnections(server);
  const port = await listen(server, config);
  running.defer(drain);
  announce(config, port);
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
  end: AbortSignal,
): Promise<string> {
  if (database.kind === 'url') {
    await reach(database.url);
    return database.url;
  }
  const postgres = await inWords(startBundledPostgres({ dataDir, log, signal: end }));
  running.defer(() => postgres.stop());
  end.throwIfAborted();
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

try {
  await main();
  log('Stopped.');
  process.exit(0);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
