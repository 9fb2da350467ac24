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
/** Each build has a folder of its own, named after its sources, and never changes. */
const BUILDS = join(DIST, 'builds');
/** A link to the build that a server loads when it starts. */
const CURRENT_LINK = join(DIST, 'current');
/** A server that has just started may still read the build before, so that one stays for a day. */
const OLD_BUILD_TTL_MS = 24 * 60 * 60_000;
/** What the built site is made of. */
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
/** Runs as it is, and is not part of the site. */
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

/** The folder appears when the build is whole. */
function buildInto(folder: string): void {
  const unfinished = join(DIST, `unfinished-${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  build('node', unfinished);
  mkdirSync(BUILDS, { recursive: true });
  if (existsSync(folder) && !existsSync(join(folder, 'server/entry.mjs'))) removeBuild(folder);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process has built the same meanwhile.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function makeCurrent(name: string): void {
  const target = join('builds', name);
  const before = linkTarget(CURRENT_LINK);
  if (before === target) return;
  const link = `${CURRENT_LINK}-${process.pid}`;
  rmSync(link, { force: true });
  // Such as a copy that followed the link.
  if (before === undefined) rmSync(CURRENT_LINK, { recursive: true, force: true });
  symlinkSync(target, link);
  // One step, so that there is a current build at every moment.
  renameSync(link, CURRENT_LINK);
  const now = new Date();
  // Its time is when it was replaced.
  if (before !== undefined && existsSync(join(DIST, before)))
    utimesSync(join(DIST, before), now, now);
}

/** Removes builds that were replaced, and attempts that were cut short, a day ago or longer. */
function removeOldBuilds(): void {
  const current = linkTarget(CURRENT_LINK);
  const old = [...readdirSync(BUILDS).map((name) => join('builds', name)), ...readdirSync(DIST)]
    .filter((path) => path !== current && path !== 'builds' && path !== 'current')
    .map((path) => join(DIST, path))
    .filter((path) => Date.now() - modifiedAt(path) > OLD_BUILD_TTL_MS);
  for (const path of old) removeBuild(path);
}

/** Renames first, so that a folder below `builds` is always whole. */
function removeBuild(path: string): void {
  const doomed = join(DIST, `unfinished-${process.pid}-old`);
  try {
    renameSync(path, doomed);
  } catch (error) {
    // Another process removes it at the same moment.
    if (!existsSync(path)) return;
    throw error;
  }
  rmSync(doomed, { recursive: true, force: true });
}

/** In milliseconds since 1970; now, when there is no such file any more. */
function modifiedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** @param outDir instead of the host's own folder */
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

async function readHost(): Promise<Host> {
  const host = parseHost(process.env['ADAPTER']);
  if (host !== 'node') assertInstalled(host);
  return host;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((one) => listFiles(join(ROOT, one))))
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  // An editor's lock is a link to nowhere.
  const found = statSync(path, { throwIfNoEntry: false });
  if (path === EXCLUDED_FOLDER || !found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}

if (import.meta.main) {
  // Imported only here: other programs import this file for `buildIfChanged`.
  const { runCommand } = await import('./run_command.ts');
  const { rethrowAsConfigError } = await import('#server/settings/config.ts');
  await runCommand(async () => {
    const host = await rethrowAsConfigError(readHost());
    // What goes elsewhere is built to be sent there at once.
    if (host === 'node') buildIfChanged();
    else build(host);
  });
}
