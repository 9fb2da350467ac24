import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..');

/** Folders with a package.json of their own, because few people need their packages. */
type OptionalPackages =
  | 'deploy/cloudflare'
  | 'deploy/netlify'
  | 'deploy/vercel'
  | 'bench/lighthouse';

/** Whether `npm ci --prefix <folder>` was run. */
export function isInstalled(folder: OptionalPackages): boolean {
  return existsSync(join(ROOT, folder, 'node_modules/.package-lock.json'));
}

/** Installs the packages of a folder, unless they are there. */
export function ensureInstalled(folder: OptionalPackages): void {
  if (isInstalled(folder)) return;
  console.log(`Installing the packages of ${folder} …`);
  execFileSync('npm', ['ci', '--prefix', folder], { cwd: ROOT, stdio: 'inherit' });
}

/** The URL of a package in one of these folders, for `await import(…)`. */
export function resolvePackageUrl(folder: OptionalPackages, name: string): string {
  return pathToFileURL(createRequire(join(ROOT, folder, 'package.json')).resolve(name)).href;
}
