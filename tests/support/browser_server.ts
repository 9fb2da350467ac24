import { spawn } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free_port.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** With a build of the site before it. */
const START_MS = 180_000;
const STOP_MS = 20_000;
/** Set, they would make it another server than the one that a newcomer starts. */
const UNSET_SETTINGS = {
  HOST: '',
  SITE_URL: '',
  API_URL: '',
  PUBLIC_API_URL: '',
  ALLOWED_ORIGINS: '',
  DASHBOARD_URL: '',
  DATABASE_URL: '',
  DEMO: '',
  HOLD_MINUTES: '',
  OFFER_HOURS: '',
  PRODUCT_NAME: '',
  SECRET_KEY: '',
  SMTP_URL: '',
  MAIL_FROM: '',
  STRIPE_SECRET_KEY: '',
  STRIPE_WEBHOOK_SECRET: '',
  STRIPE_PRICE_ID: '',
  STRIPE_API_BASE: '',
  S3_ENDPOINT: '',
};

/** The site of this run: what `npm start` serves. Known in tests, not in the configuration. */
export function siteUrl(): string {
  return process.env['LINEWORK_TEST_URL'] ?? '';
}

/** Where browsers find that site's API: on the site itself, unless it is served from elsewhere. */
export function apiUrl(): string {
  return process.env['LINEWORK_TEST_API_URL'] || siteUrl();
}

/** Where that site keeps everything. */
export function siteDataDir(): string {
  return process.env['LINEWORK_TEST_DATA_DIR'] ?? '';
}

/** Playwright's global setup: the site that tests run on. */
export default async function startSite(): Promise<() => Promise<void>> {
  return startServer({ env: () => ({}) });
}

/**
 * Another site, which tests run on until it is stopped.
 * @param env settings that it is started with
 * @returns stops it; the site of before is then the tests' again
 */
export async function serveOtherSite(
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  // Whoever leads back to it from elsewhere must lead to where the tests look.
  return startServer({ env: (url) => ({ SITE_URL: url, ...env }) });
}

/**
 * The API alone, and a site elsewhere that tests run on until it is stopped.
 * @param openSite serves that site, told where the API is going to be, and answers where the site is
 * @returns stops the API; the site of before is then the tests' again
 */
export async function serveApiFor(
  openSite: (apiUrl: string) => Promise<string>,
): Promise<() => Promise<void>> {
  return startServer({
    args: ['--', '--api-only'],
    site: openSite,
    env: (api, site) => ({ SITE_URL: site, ALLOWED_ORIGINS: site, PUBLIC_API_URL: api }),
  });
}

interface StartOptions {
  /** What `npm start` is told. */
  readonly args?: readonly string[];
  /** Where the site is, when the server at this address is only its API. */
  readonly site?: (url: string) => Promise<string>;
  readonly env: (url: string, site: string) => Readonly<Record<string, string>>;
}

/** `npm start` on a data directory and a port of its own. */
async function startServer({
  args: words = [],
  site,
  env,
}: StartOptions): Promise<() => Promise<void>> {
  const before = [siteUrl(), apiUrl(), siteDataDir()] as const;
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-browser-'));
  // So that the database's own user can enter it when the tests run as root.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const seen = site ? await site(url) : url;
  const server = spawn('npm', ['start', ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...UNSET_SETTINGS,
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      ...env(url, seen),
    },
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  // All that npm started holds these pipes, so they close when the last of it is gone.
  const gone = new Promise<void>((resolve) => server.once('close', () => resolve()));

  // Should this process end without asking it to stop.
  const abandon = () => server.kill('SIGTERM');
  process.on('exit', abandon);

  async function stop(): Promise<void> {
    process.off('exit', abandon);
    server.kill('SIGTERM');
    const forced = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(forced);
    await removeData(dataDir);
    setSite(...before);
  }

  try {
    await waitUntilReady(url, () => server.exitCode !== null);
  } catch (error) {
    await stop();
    throw new Error(`The site did not start.\n${said}`, { cause: error });
  }
  setSite(seen, url, dataDir);
  return stop;
}

function setSite(site: string, api: string, dataDir: string): void {
  process.env['LINEWORK_TEST_URL'] = site;
  process.env['LINEWORK_TEST_API_URL'] = api;
  process.env['LINEWORK_TEST_DATA_DIR'] = dataDir;
}

async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error('It ended.');
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`It was not ready after ${START_MS / 1000} seconds.`);
}

/** The database may live elsewhere, linked from here, where its user cannot enter (design, 1). */
async function removeData(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => null);
  if (home?.startsWith('/var/lib/linework/')) await rm(home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
