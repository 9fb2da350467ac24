/** Runs our server until the process is asked to stop. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { seedDemoArtists } from '#demo/seed.ts';
import { readSiteSettings } from '../site_settings.ts';
import { type Config, ConfigError, listConfigWarnings, readConfig } from './config.ts';
import { openContext } from './context.ts';
import type { Database } from './database/connect.ts';
import { errorCode } from './database/error_code.ts';
import { enqueueMissingAvif } from './operations/encode_avif.ts';
import { publishSiteAssets } from './operations/site_assets.ts';
import { ensureSuperuser } from './operations/superuser.ts';
import {
  failOnUncaughtErrors,
  listenForShutdown,
  type Shutdown,
  trackConnections,
} from './shutdown.ts';
import { type BuiltSite, isRendering, loadSite } from './site.ts';

/** A symbolic link to the folder of the current build; `scripts/build.ts` replaces it. */
const BUILD_LINK = join(import.meta.dirname, '../../dist/current');
/** Longer than proxies keep idle connections: if we closed first, a request could get lost. */
const KEEP_ALIVE_MS = 65_000;
const PUBLISH_ASSETS_INTERVAL_MS = 6 * 60 * 60_000;

const log = (line: string) => console.log(line);

async function main(shutdown: Shutdown): Promise<void> {
  const { signal } = shutdown;
  const config = readConfig(process.env);
  const isApiOnly = process.argv.includes('--api-only');
  if (!isApiOnly && !existsSync(join(BUILD_LINK, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  await using resources = new AsyncDisposableStack();
  const started = start(config, isApiOnly, resources, shutdown);
  const stopRequested = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    // Even after a stop request, wait until `start` has put the bundled PostgreSQL in `resources`,
    // else nothing stops it. With DATABASE_URL, do not: `start` may wait forever for the database.
    await (config.database.kind === 'bundled' ? started : Promise.race([started, stopRequested]));
    await stopRequested;
  } catch (error) {
    // A stop request makes `start` fail: only other errors count.
    if (!signal.aborted) throw error;
  }
  log(`Stopping (${signal.reason}) …`);
}

/** @param resources receives all that `main` must close at the end */
async function start(
  config: Config,
  isApiOnly: boolean,
  resources: AsyncDisposableStack,
  shutdown: Shutdown,
): Promise<void> {
  const { signal } = shutdown;
  const { context, startJobs, createHandler } = await openContext(
    config,
    { log, signal },
    resources,
  );
  if (config.demo) await seedDemoArtists(context);
  await enqueueMissingAvif(context);
  if (config.superuser) await ensureSuperuser(context, config.superuser);
  const settings = readSiteSettings((name) => process.env[name], config.siteUrl);
  const site = isApiOnly ? undefined : await loadSite(BUILD_LINK, settings);
  signal.throwIfAborted();
  await startJobs();
  if (site) resources.defer(await publishAssetsRegularly(context.database, site));
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, createHandler(site));
  const drainConnections = trackConnections(server);
  const port = await listen(server, config);
  // Happens when no file descriptor is left for a new connection; open connections continue.
  server.on('error', (error) => log(`Server: accepting a connection failed: ${error}`));
  resources.defer(() => drainConnections(shutdown.drainTimeoutMs));
  announce(config, port);
}

/**
 * Stores our build's scripts and styles in the database, so that servers with another build can
 * send them too. Repeats this, because a job deletes files that no server has stored for a week.
 * @returns a function that stops the repetition
 */
async function publishAssetsRegularly(
  database: Database,
  { assets }: BuiltSite,
): Promise<() => void> {
  await publishSiteAssets(database, assets);
  const timer = setInterval(() => {
    publishSiteAssets(database, assets).catch((error: unknown) =>
      log(`Site: storing the build's files failed (trying again in 6 h): ${error}`),
    );
  }, PUBLISH_ASSETS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** @returns the port; the operating system has chosen it if the setting is 0 */
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
  // In a URL, an IPv6 address stands in brackets.
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  log(`\n  ${config.productName} is ready at ${origin}`);
  log(`  API   ${origin}/api/v1/openapi.json`);
  for (const line of listConfigWarnings(config)) log(`  ${line}`);
  if (!config.demo) return;
  log(`  Demo  ${origin}/ana  ${origin}/bo  ${origin}/cleo`);
  log('  Log in as ana@example.com, bo@example.com or cleo@example.com; password: tattoo-demo\n');
}

const shutdown = listenForShutdown();
// While a page renders, a rejection is harmless (such as a lost client), and Astro logs it.
failOnUncaughtErrors(shutdown, isRendering);
try {
  await main(shutdown);
  log('Stopped.');
  process.exit(shutdown.isFailure ? 1 : 0);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
