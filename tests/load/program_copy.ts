import { execFile, spawn } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of a built copy of the whole program. */
    program: string;
    /** The data directory of a server that has started once, with the demo artists. */
    demoData: string;
  }
}

const PROJECT = resolve(import.meta.dirname, '../..');
/** The sources of a build. */
export const SOURCES = [
  'src',
  'public',
  'scripts',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
  'tsconfig.json',
];
const HOSTS = ['cloudflare', 'netlify', 'vercel'];
/** Everything that a server needs: the sources, the demo artists and the command. */
export const PROGRAM = [...SOURCES, 'demo', 'server.js'];
/** Linked instead of copied: many files that never change. */
const PICTURES = 'demo/encoded';

/**
 * All tests run a copy of the program, so that you can edit the sources meanwhile. The folder's name
 * contains a space, because users' folders do. Run `npm run build` first to save time.
 */
export default async function provideProgram(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework program ')));
  const remove = () => rm(folder, { recursive: true, force: true });
  const [program, demoData] = [join(folder, 'program'), join(folder, 'data')];
  try {
    await chmod(folder, 0o755);
    await copyProgram(program, { built: true });
    await build(program);
    await startOnce(program, demoData);
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('program', program);
  project.provide('demoData', demoData);
  return remove;
}

/** Lets a server create its data directory with the demo artists. */
async function startOnce(program: string, dataDir: string): Promise<void> {
  const server = spawn(join(program, 'node_modules/.bin/node'), ['src/server/main.ts'], {
    cwd: program,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(program, 'compiled'),
      DATA_DIR: dataDir,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isReady = false;
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.includes('is ready at')) continue;
    isReady = true;
    server.kill('SIGTERM');
  }
  if (!isReady) throw new Error('The server that creates the demo data did not start');
}

/** Copies the program into a folder, with or without its build. */
export async function copyProgram(folder: string, { built }: { built: boolean }): Promise<string> {
  await mkdir(folder, { recursive: true });
  const filter = (path: string) => path !== join(PROJECT, PICTURES);
  for (const name of PROGRAM)
    await cp(join(PROJECT, name), join(folder, name), { recursive: true, filter });
  await symlink(join(PROJECT, PICTURES), join(folder, PICTURES));
  if (built) await copyBuild(folder);
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  for (const host of HOSTS) await linkHost(folder, host);
  return folder;
}

/** Copies the current build, if there is one. */
async function copyBuild(folder: string): Promise<void> {
  const current = await readlink(join(PROJECT, 'dist/current')).catch(() => undefined);
  if (current === undefined) return;
  await cp(join(PROJECT, 'dist', current), join(folder, 'dist', current), { recursive: true });
  await symlink(current, join(folder, 'dist/current'));
}

/** Copies the files of another host, and links its packages if they are installed. */
async function linkHost(folder: string, host: string): Promise<void> {
  const own = join(PROJECT, 'deploy', host);
  await mkdir(join(folder, 'deploy', host), { recursive: true });
  for (const name of await readdir(own)) {
    const copy = join(folder, 'deploy', host, name);
    if (name === 'node_modules') await symlink(join(own, name), copy);
    else await cp(join(own, name), copy);
  }
}

/** Runs the build and returns its output. */
export async function build(folder: string, settings = {}): Promise<string> {
  const node = join(folder, 'node_modules/.bin/node');
  const { stdout } = await promisify(execFile)(node, ['scripts/build.ts'], {
    cwd: folder,
    // Vitest sets another one, with which pages would be built for development.
    env: { ...process.env, NODE_ENV: 'production', ...settings },
  });
  return stdout;
}
