import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;
const STAMP = join(ROOT, 'dist/built-from');
/** What the built site is made of. */
const SOURCES = [
  'src',
  'public',
  'astro.config.mjs',
  'package-lock.json',
  'scripts/precompress.ts',
];
/** Runs as it is, and is not part of the site. */
const NOT_BUILT = join(ROOT, 'src/server');

/** Builds the site, unless what stands in `dist` was built from these very sources. */
export function buildIfChanged(): void {
  const sources = hashOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  console.log('Building the site …');
  execFileSync(process.execPath, [join(ROOT, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  writeFileSync(STAMP, sources);
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((one) => filesBelow(join(ROOT, one)))) {
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (path === NOT_BUILT) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)));
}

if (import.meta.main) buildIfChanged();
