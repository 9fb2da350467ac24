import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Host, hostOf } from './adapter.ts';

const ROOT = resolve(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/built-from');
const ENTRY = join(ROOT, 'dist/server/entry.mjs');
/** What the built site is made of. */
const SOURCES = [
  'src',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/adapter.ts',
  'scripts/precompress.ts',
];
/** Runs as it is, and is not part of the site. */
const NOT_BUILT = join(ROOT, 'src/server');

/** Builds the site for Node, unless what stands in `dist` was built from these very sources. */
export function buildIfChanged(): void {
  const sources = hashOfSources();
  if (existsSync(ENTRY) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  // A build that is cut short must not pass for the one before it.
  rmSync(STAMP, { force: true });
  build('node');
  writeFileSync(STAMP, sources);
}

function build(host: Host): void {
  console.log('Building the site …');
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  const { status } = spawnSync(process.execPath, [astro, 'build'], {
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

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((one) => filesBelow(join(ROOT, one))))
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  // An editor's lock is a link to nowhere.
  const found = statSync(path, { throwIfNoEntry: false });
  if (path === NOT_BUILT || !found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)));
}

if (import.meta.main) {
  try {
    const host = hostOf(process.env['ADAPTER']);
    // What goes elsewhere is built to be sent there at once.
    if (host === 'node') buildIfChanged();
    else build(host);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
