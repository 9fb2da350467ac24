// `npm run build`: builds the site. `npm start` and others import `buildIfChanged`.
import './node_version.js';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { assertInstalled, type Host, parseHost } from './adapter.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** Each build has a folder of its own, named by the hash of its sources, and never changes. */
const BUILDS = join(DIST, 'builds');
/** A link to the build that a server loads when it starts. */
const CURRENT_LINK = join(DIST, 'current');
/** A running server reads files of the build that it has loaded, so a replaced build stays for a day. */
const OLD_BUILD_TTL_MS = 24 * 60 * 60_000;
/** The files and folders on which the built site depends. */
const SOURCES = [
  'src',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/adapter.ts',
  'scripts/browser_floors.ts',
  'scripts/optional_packages.ts',
  'scripts/precompress.ts',
];
/** The server runs from its sources, and is not part of the site. */
const EXCLUDED_FOLDER = join(ROOT, 'src/server');

/**
 * Builds the site for Node, unless there is a build of these very sources, and makes it the current
 * one. A server that runs meanwhile goes on serving the build that it loaded.
 */
export function buildIfChanged(): void {
  const name = hashSources().slice(0, 16);
  const folder = join(BUILDS, name);
  if (!existsSync(join(folder, 'server/entry.mjs'))) buildInto(folder);
  makeCurrent(name);
  removeOldBuilds();
}

/** Builds beside the folder and renames the result, so that the folder appears only when the build is complete. */
function buildInto(folder: string): void {
  const unfinished = join(DIST, `unfinished-${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  build('node', unfinished);
  mkdirSync(BUILDS, { recursive: true });
  if (existsSync(folder) && !existsSync(join(folder, 'server/entry.mjs'))) removeBuild(folder);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process has built the same sources in the meantime.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Points the link at a build, and sets the time of the replaced one, from which it is kept for a day. */
function makeCurrent(name: string): void {
  const target = join('builds', name);
  const previous = linkTarget(CURRENT_LINK);
  if (previous === target) return;
  const link = `${CURRENT_LINK}-${process.pid}`;
  rmSync(link, { force: true });
  // It may be a folder: somebody has copied `dist` and followed the link.
  if (previous === undefined) rmSync(CURRENT_LINK, { recursive: true, force: true });
  symlinkSync(target, link);
  // Renaming replaces the link in one step, so that there is a current build at every moment.
  renameSync(link, CURRENT_LINK);
  const now = new Date();
  if (previous !== undefined && existsSync(join(DIST, previous)))
    utimesSync(join(DIST, previous), now, now);
}

/** Removes builds that were replaced, and builds that were interrupted, a day ago or longer. */
function removeOldBuilds(): void {
  const current = linkTarget(CURRENT_LINK);
  const old = [...readdirSync(BUILDS).map((name) => join('builds', name)), ...readdirSync(DIST)]
    .filter((path) => path !== current && path !== 'builds' && path !== 'current')
    .map((path) => join(DIST, path))
    .filter((path) => Date.now() - modifiedAt(path) > OLD_BUILD_TTL_MS);
  for (const path of old) removeBuild(path);
}

/** Renames the folder before it removes it, so that each folder below `builds` is complete at every moment. */
function removeBuild(path: string): void {
  const removed = join(DIST, `unfinished-${process.pid}-old`);
  try {
    renameSync(path, removed);
  } catch (error) {
    // Another process removes it at the same moment.
    if (!existsSync(path)) return;
    throw error;
  }
  rmSync(removed, { recursive: true, force: true });
}

/** In milliseconds since 1970; the present time if another process has removed the file. */
function modifiedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

/** The path in a link; undefined if there is no link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Runs Astro's build; ends the process if it fails. @param outDir instead of the host's own folder */
function build(host: Host, outDir?: string): void {
  console.log('Building the site …');
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  const to = outDir === undefined ? [] : ['--outDir', outDir];
  const { status } = spawnSync(process.execPath, [astro, 'build', ...to], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ADAPTER: host,
      ASTRO_TELEMETRY_DISABLED: '1',
      WRANGLER_SEND_METRICS: 'false',
    },
  });
  if (status !== 0) {
    console.error('The site could not be built; the reason stands above.');
    process.exit(1);
  }
}

/** Async, so that both errors become a rejection, which `rethrowAsConfigError` takes. */
async function readHost(): Promise<Host> {
  const host = parseHost(process.env['ADAPTER']);
  assertInstalled(host);
  return host;
}

/** The hash of the names and contents of all sources. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((one) => listFiles(join(ROOT, one))))
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  // Undefined for a link to nothing, such as the lock of an editor.
  const found = statSync(path, { throwIfNoEntry: false });
  if (path === EXCLUDED_FOLDER || !found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}

if (import.meta.main) {
  // Imported only here: programs that import this file for `buildIfChanged` need not load these.
  const { runCommand } = await import('./run_command.ts');
  const { rethrowAsConfigError } = await import('#server/settings/config.ts');
  await runCommand(async () => {
    const host = await rethrowAsConfigError(readHost());
    // A build for another host is always made anew, because it is sent there at once.
    if (host === 'node') buildIfChanged();
    else build(host);
  });
}
