import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

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
  'scripts/precompress.ts',
];
/** Runs as it is, and is not part of the site. */
const NOT_BUILT = join(ROOT, 'src/server');

/** Builds the site, unless what stands in `dist` was built from these very sources. */
export function buildIfChanged(): void {
  const sources = hashOfSources();
  if (existsSync(ENTRY) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  console.log('Building the site …');
  // A build that is cut short must not pass for the one before it.
  rmSync(STAMP, { force: true });
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  const { status } = spawnSync(process.execPath, [astro, 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  if (status !== 0) {
    console.error('The site could not be built; the reason stands above.');
    process.exit(1);
  }
  writeFileSync(STAMP, sources);
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

if (import.meta.main) buildIfChanged();
