import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDERS = ['.', 'deploy/cloudflare', 'deploy/netlify', 'deploy/vercel', 'bench/lighthouse'];
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      resolved: z.optional(z.string()),
      integrity: z.optional(z.string()),
      optional: z.optional(z.boolean()),
      inBundle: z.optional(z.boolean()),
    }),
  ),
});
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.optional(z.record(z.string(), z.string())),
});
const DOCUMENT = readFileSync(join(PROJECT, 'docs/dependencies.md'), 'utf8');
/** Such as `@biomejs/cli-* 2.6.8`: packages without a hash, and their version. */
const WITHOUT_HASH = [...DOCUMENT.matchAll(/^- `(\S+)\*` (\S+)$/gm)].map(
  ([, prefix = '', version = '']) => ({ prefix, version }),
);

describe.each(FOLDERS)('package-lock.json of %s', (folder) => {
  const { packages } = Lock.parse(readJson(folder, 'package-lock.json'));
  const installed = Object.entries(packages).filter(([path]) => path !== '');

  test('every package has a hash, unless docs/dependencies.md names it as optional without one', () => {
    const withoutHash = installed.filter(
      ([path, { version, integrity, optional, inBundle }]) =>
        integrity === undefined &&
        !inBundle &&
        !(
          optional &&
          WITHOUT_HASH.some(
            (entry) => path.startsWith(`node_modules/${entry.prefix}`) && entry.version === version,
          )
        ),
    );
    expect(withoutHash).toEqual([]);
  });

  test('no package is bound to a registry (no `resolved` URL)', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

test('the project installs one version of sharp, and no package with install telemetry (@scarf)', () => {
  const { packages } = Lock.parse(readJson('.', 'package-lock.json'));
  const paths = Object.keys(packages);
  expect(paths.filter((path) => path.endsWith('node_modules/sharp'))).toEqual([
    'node_modules/sharp',
  ]);
  expect(paths.filter((path) => path.includes('@scarf/'))).toEqual([]);
});

test.each(FOLDERS)('docs/dependencies.md mentions each direct dependency of %s', (folder) => {
  const { dependencies, devDependencies } = Manifest.parse(readJson(folder, 'package.json'));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const isMentioned = (name: string) =>
    DOCUMENT.includes(`\`${name}\``) ||
    name.startsWith('@types/') ||
    DOCUMENT.includes(`\`…/${name.replace(/^.*\//, '')}\``);
  expect(names.filter((name) => !isMentioned(name))).toEqual([]);
});

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(PROJECT, folder, name), 'utf8'));
}
