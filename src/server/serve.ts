import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { seedDemoArtists } from '#demo/seed.ts';
import { readSiteSettings } from '../site_settings.ts';
import { type Config, ConfigError, checkConfig, readConfig } from './config.ts';
import { openContext } from './context.ts';
import type { Database } from './database/connect.ts';
import { errorCode } from './database/error_code.ts';
import { publishSiteAssets } from './operations/site_assets.ts';
import { ensureSuperuser } from './operations/superuser.ts';
import {
  failOnUncaughtErrors,
  listenForShutdown,
  type Shutdown,
  trackConnections,
} from './shutdown.ts';
import { type BuiltSite, isRendering, loadSite } from './site.ts';

/** The build to serve; `scripts/build.ts` replaces the link. */
const BUILD = join(import.meta.dirname, '../../dist/current');
/** Longer than the idle time of proxies: the proxy must be the one that closes a connection. */
const KEEP_ALIVE_MS = 65_000;
const PUBLISH_ASSETS_MS = 6 * 60 * 60_000;

const log = (line: string) => console.log(line);

/** Starts a server, and stops it in the opposite order once the process is to end. */
async function main(end: Shutdown): Promise<void> {
  const { signal } = end;
  const config = readConfig(process.env);
  const isApiOnly = process.argv.includes('--api-only');
  if (!isApiOnly && !existsSync(join(BUILD, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  await using resources = new AsyncDisposableStack();
  const started = start(config, isApiOnly, resources, end);
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    // A bundled database that is starting must be stopped; another database may never answer.
    await (config.database.kind === 'bundled' ? started : Promise.race([started, ended]));
    await ended;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  log(`Stopping (${signal.reason}) …`);
}

async function start(
  config: Config,
  isApiOnly: boolean,
  resources: AsyncDisposableStack,
  end: Shutdown,
): Promise<void> {
  const { signal } = end;
  const context = await openContext(config, { log, signal }, resources);
  const { operations } = context;
  if (config.demo) await seedDemoArtists(operations);
  operations.avifConverter.sweep();
  if (config.superuser) await ensureSuperuser(operations, config.superuser);
  const settings = readSiteSettings((name) => process.env[name], config.siteUrl);
  const site = isApiOnly ? undefined : await loadSite(BUILD, settings);
  signal.throwIfAborted();
  await context.startJobs();
  if (site) resources.defer(await publishAssetsRegularly(operations.database, site));
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, context.createHandler(site));
  const drain = trackConnections(server);
  const port = await listen(server, config);
  // For example when no file descriptor is left for a new connection. Open connections continue.
  server.on('error', (error) => log(`Server: accepting a connection failed: ${error}`));
  resources.defer(() => drain(end.drainTimeoutMs));
  announce(config, port);
}

/**
 * Stores the files of the site's build in the database for other servers and later builds, now and
 * every few hours: files that no server publishes any more are deleted.
 * @returns stops it
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
  }, PUBLISH_ASSETS_MS);
  return () => clearInterval(timer);
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
  for (const line of checkConfig(config)) log(`  ${line}`);
  if (!config.demo) return;
  log(`  Demo  ${origin}/ana  ${origin}/bo  ${origin}/cleo`);
  log('  Log in as ana@example.com, bo@example.com or cleo@example.com; password: tattoo-demo\n');
}

const end = listenForShutdown();
// Astro logs rejections that a page leaves unhandled, such as the body of a client that disconnected.
failOnUncaughtErrors(end, isRendering);
try {
  await main(end);
  log('Stopped.');
  process.exit(end.isFailure ? 1 : 0);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
