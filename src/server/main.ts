import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { siteSettings } from '../settings.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { DataDirectoryInUse, startBundledPostgres } from './database/bundled.ts';
import { openDatabase } from './database/connect.ts';
import { fillDemo } from './database/demo/fill.ts';
import { migrate } from './database/migrate.ts';
import { createFront, loadSite } from './front.ts';
import { createDiskStore } from './images/disk_store.ts';
import { ensureSuperuser } from './operations/superuser.ts';
import { readSecret } from './secret.ts';
import { drain, onEnd } from './shutdown.ts';

const DIST = new URL('../../dist/', import.meta.url).pathname;

const log = (line: string) => console.log(line);

/** Brings everything up, serves, and takes everything down again in the opposite order. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const apiOnly = process.argv.includes('--api-only');
  if (!apiOnly && !existsSync(join(DIST, 'server/entry.mjs')))
    throw new ConfigError('The site is not built yet: run `npm run build` first, or `npm start`.');

  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  const postgres = await openPostgres(config, dataDir);
  const undo: (() => Promise<void>)[] = [postgres.stop];
  const takeDown = async () => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    await migrate(postgres.url);
    const database = openDatabase(postgres.url);
    undo.push(() => database.destroy());
    const media = join(dataDir, 'media');
    await mkdir(media, { recursive: true });
    const parts = {
      database,
      images: createDiskStore(media, config.publicApiUrl),
      terms: { holdMinutes: config.holdMinutes, offerHours: config.offerHours },
      secret: await readSecret(config.secretKey, dataDir),
    };
    if (config.demo) await fillDemo(parts);
    if (config.superuser) await ensureSuperuser(parts, config.superuser);

    const app = createApp(parts, config, log);
    const site = apiOnly
      ? undefined
      : await loadSite(DIST, siteSettings(process.env, config.siteUrl));
    const server = createServer(createFront(app, media, site));
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(config.port, config.host, listening);
    });
    undo.push(() => drain(server));
    onEnd(async (why) => {
      log(`Stopping (${why}) …`);
      await takeDown();
      log('Stopped.');
      process.exit(0);
    });
    announce(config);
  } catch (error) {
    await takeDown();
    throw error;
  }
}

async function openPostgres({ database }: Config, dataDir: string) {
  if (database.kind === 'url') return { url: database.url, stop: async () => {} };
  return startBundledPostgres({ dataDir, log });
}

function announce(config: Config): void {
  const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;
  log(`\n  ${config.productName} is ready at ${origin}`);
  log(`  API   ${origin}/api/v1/openapi.json`);
  if (!config.demo) return;
  log(`  Demo  ${origin}/ana  ${origin}/bo  ${origin}/cleo`);
  log('  Log in as ana@example.com, bo@example.com or cleo@example.com; password: tattoo-demo\n');
}

try {
  await main();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DataDirectoryInUse;
  console.error(known ? error.message : error);
  process.exit(1);
}
