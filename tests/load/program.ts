import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A built copy of the whole program. */
    program: string;
  }
}

const PROJECT = resolve(import.meta.dirname, '../..');
const NEEDED = [
  'src',
  'public',
  'scripts',
  'dist',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
  'tsconfig.json',
];

/**
 * Copies the program, so that tests may take its build away or change a source. Its folder has a
 * space in its name, as people's folders do. Quick when `npm run build` came first.
 */
export default async function copyProgram(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework program ')));
  await chmod(folder, 0o755);
  for (const name of NEEDED)
    await cp(join(PROJECT, name), join(folder, name), { recursive: true }).catch((error) => {
      if (name !== 'dist') throw error;
    });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)(join(PROJECT, 'node_modules/.bin/node'), [
    join(folder, 'scripts/build.ts'),
  ]);
  project.provide('program', folder);
  return () => rm(folder, { recursive: true, force: true });
}
