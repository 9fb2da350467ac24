import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free_port.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Includes a build of the site. */
const START_MS = 180_000;
const STOP_MS = 20_000;
/** The site that `npm start` serves for this run. Playwright's configuration does not know it. */
export function siteUrl(): string {
  return process.env['LINEWORK_TEST_URL'] ?? '';
}

/** The same site by a name instead of an IP address, for what belongs to a domain. */
export function namedSiteUrl(): string {
  return siteUrl().replace('127.0.0.1', 'localhost');
}

/** The origin of the API for browsers: the site itself, unless the API is served separately. */
export function apiUrl(): string {
  return process.env['LINEWORK_TEST_API_URL'] || siteUrl();
}

/** The site's DATA_DIR. */
export function siteDataDir(): string {
  return process.env['LINEWORK_TEST_DATA_DIR'] ?? '';
}

/** The global setup of Playwright, and of Vitest's project `engines`: starts the tested site. */
export default async function startSite(): Promise<() => Promise<void>> {
  return startServer({ env: () => ({}) });
}

/**
 * Starts another site, which is the tested site until it is stopped.
 * @param env its settings
 * @returns stops it and makes the previous site the tested one again
 */
export async function serveOtherSite(
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  // Links that lead back to the site must use the tested origin.
  return startServer({ env: (url) => ({ SITE_URL: url, ...env }) });
}

/**
 * Starts only the API, for a site at another origin, which is the tested site until it is stopped.
 * @param openSite serves that site for the API at the given URL, and returns the site's URL
 * @returns stops the API and makes the previous site the tested one again
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
  /** Arguments of `npm start`. */
  readonly args?: readonly string[];
  /** Serves the site when the server at this URL is only its API. Returns the site's URL. */
  readonly site?: (url: string) => Promise<string>;
  readonly env: (url: string, site: string) => Readonly<Record<string, string>>;
}

/** Runs `npm start` with its own data directory and port. */
async function startServer({ args = [], site, env }: StartOptions): Promise<() => Promise<void>> {
  const previous = [siteUrl(), apiUrl(), siteDataDir()] as const;
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-browser-'));
  // The database's own user must enter it when the tests run as root.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const publicUrl = site ? await site(url) : url;
  const server = spawn('npm', ['start', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without the variables of npm, Playwright and the developer, which would change the server's behavior.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: tmpdir(),
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      STOP_DELAY_SECONDS: '0',
      ...env(url, publicUrl),
    },
  });
  let output = '';
  const logFile = createWriteStream(logPath(dataDir));
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
      logFile.write(chunk);
    });
  // Every child of npm holds these pipes, so `close` comes when the last one has exited.
  const exited = new Promise<void>((resolve) => server.once('close', () => resolve()));

  // For the case that this process ends without calling `stop`.
  const abandon = () => server.kill('SIGTERM');
  process.on('exit', abandon);

  async function stop(): Promise<void> {
    process.off('exit', abandon);
    server.kill('SIGTERM');
    const forced = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(forced);
    await removeData(dataDir);
    logFile.end();
    await rm(logPath(dataDir), { force: true });
    setSite(...previous);
  }

  try {
    await waitUntilReady(url, () => server.exitCode !== null);
  } catch (error) {
    await stop();
    throw new Error(`The site did not start.\n${output}`, { cause: error });
  }
  setSite(publicUrl, url, dataDir);
  return stop;
}

/** Beside the data directory, in which only the program writes. */
function logPath(dataDir: string): string {
  return `${dataDir}.log`;
}

/** All that the server of the tested site has printed so far. */
export function readSiteLog(): Promise<string> {
  return readFile(logPath(siteDataDir()), 'utf8');
}

function setSite(site: string, api: string, dataDir: string): void {
  process.env['LINEWORK_TEST_URL'] = site;
  process.env['LINEWORK_TEST_API_URL'] = api;
  process.env['LINEWORK_TEST_DATA_DIR'] = dataDir;
}

async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error('The server exited.');
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`The server was not ready after ${START_MS / 1000} seconds.`);
}

/** When DATA_DIR is not accessible to the database's user, `postgres` links to another folder. */
async function removeData(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => null);
  if (home?.startsWith('/var/lib/linework/')) await rm(home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
