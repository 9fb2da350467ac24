import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { openFolder } from '#support/folder.ts';
import { NEXT_MIGRATION, NEXT_SQL } from '#support/next_version.ts';
import { silentLog } from '#support/recorded_log.ts';
import {
  openSandbox,
  queryDatabase,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
} from '#support/sandbox.ts';
import { copyProgram } from './program_copy.ts';

const NEWER = '9998_of_a_newer_version.sql';
const FORBIDDING = '9999_forbids_older.sql';
const WAIT = { timeout: 60_000, interval: 50 };
const ALLOW = { ALLOW_NEWER_DATABASE: '1' };

/** A server that keeps running, and servers of the "older" version on the same database. */
let sandbox: Sandbox;
let running: RunningServer;
let url: string;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await openSandbox();
  running = await sandbox.serve();
  url = await sandbox.databaseUrl();
  env = { DATABASE_URL: url, SECRET_KEY: 'a key for a server on a database' };
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Runs work while the database names a migration that no version of this test knows. */
async function withMigration(name: string, olderCanRun: boolean, work: () => Promise<void>) {
  await queryDatabase(
    url,
    'INSERT INTO migrations (name, sha256, older_can_run) VALUES ($1, $2, $3)',
    [name, 'hash', olderCanRun],
  );
  try {
    await work();
  } finally {
    await queryDatabase(url, 'DELETE FROM migrations WHERE name = $1', [name]);
  }
}

async function expectRefusal(settings: Record<string, string>, message: RegExp): Promise<void> {
  await using other = await openSandbox();
  const { code, output } = await other.launch({ env: { ...env, ...settings } }).exited;
  expect(code).toBe(1);
  expect(output).toMatch(message);
  expect(output).not.toMatch(/^\s+at /m);
}

/** Runs `npm run migrate`, without npm. */
function runMigrate(settings: Record<string, string>) {
  const folder = inject('program');
  const node = join(folder, 'node_modules/.bin/node');
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(
      node,
      ['scripts/migrate.ts'],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, ...settings } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

test('a downgrade is refused with the names of the unknown migrations and what to do', async () => {
  await withMigration(NEWER, true, async () => {
    await expectRefusal({}, new RegExp(`does not know ${NEWER}.*ALLOW_NEWER_DATABASE=1`));
    const migrating = await runMigrate({});
    expect(migrating.code).toBe(1);
    expect(migrating.output).toMatch(new RegExp(`does not know ${NEWER}.*ALLOW_NEWER_DATABASE=1`));
    // The server that ran before is not disturbed.
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  });
});

test('a downgrade starts with ALLOW_NEWER_DATABASE=1 if the unknown migrations allow it', async () => {
  await withMigration(NEWER, true, async () => {
    await using other = await openSandbox();
    const server = await other.serve({ env: { ...env, ...ALLOW } });
    expect(server.output()).toContain(NEWER);
    expect((await fetch(`${server.url}/ana`)).status).toBe(200);
    expect(await runMigrate(ALLOW)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing to apply'),
    });
  });
});

test('a downgrade is refused despite ALLOW_NEWER_DATABASE=1 if an unknown migration forbids it', async () => {
  await withMigration(NEWER, true, () =>
    withMigration(FORBIDDING, false, () =>
      expectRefusal(ALLOW, new RegExp(`cannot run with ${FORBIDDING}, so start the newer version`)),
    ),
  );
});

test('a replaced worker of an older server is refused by name in the log until the database allows it', async () => {
  await using other = await openSandbox();
  const server = await other.serve({ env: { ...env, WORKERS: '2' } });
  await withMigration(NEWER, true, async () => {
    const [worker = 0] = await findWorkers(server);
    process.kill(worker, 'SIGKILL');
    await waitUntilExited(worker);
    await server.waitForOutput(new RegExp(`does not know ${NEWER}`));
    await server.waitForOutput(/another one starts in/);
    // The other worker serves.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
  await vi.waitFor(async () => expect(await findWorkers(server)).toHaveLength(2), WAIT);
  expect((await server.stop()).code).toBe(0);
});

test('a bundled database from before 0.1 is refused with a sentence that says what to do, and not changed', async () => {
  await using other = await openSandbox();
  const server = await other.serve();
  const read = (from: string) =>
    queryDatabase(from, 'SELECT name, sha256, (SELECT count(*) FROM artists) FROM migrations');
  await queryDatabase(await other.databaseUrl(), "UPDATE migrations SET name = '0001_booking.sql'");
  const before = await read(await other.databaseUrl());
  expect((await server.stop()).code).toBe(0);
  const { code, output } = await other.launch().exited;
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /made by a version of Linework before 0\.1, .* Start with an empty DATA_DIR/,
    ),
  ]);
  const postgres = await startBundledPostgres({ dataDir: other.dataDir, log: silentLog });
  const after = await read(postgres.url);
  await postgres.stop();
  expect(after).toEqual(before);
});

/** The process ids of the workers. */
async function findWorkers({ pid }: RunningServer): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Copies the program, with the same build and a second migration. */
async function copyNextVersion(): Promise<string> {
  const folder = await copyProgram(join(await openFolder(), 'next'), { built: false });
  await symlink(join(inject('program'), 'dist'), join(folder, 'dist'));
  await writeFile(join(folder, 'src/server/database/migrations', NEXT_MIGRATION), NEXT_SQL.can);
  return folder;
}

// Last, because its migration stays in the database.
test('a rolling upgrade: the next version migrates, and the running server answers and writes as before', async () => {
  await using other = await openSandbox();
  const next = await other.serve({ env, programFolder: await copyNextVersion() });
  const applied = await queryDatabase(url, 'SELECT name FROM migrations ORDER BY name');
  expect(applied.at(-1)).toEqual([NEXT_MIGRATION]);
  expect(await queryDatabase(url, 'SELECT made_up FROM artists LIMIT 1')).toHaveLength(1);
  for (const server of [running, next]) {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.url}/ana`)).status).toBe(200);
    const body = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
    const sent = await fetch(`${server.url}/api/v1/users/artist/ana/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(sent.status).toBe(201);
  }
  await expectRefusal({}, new RegExp(`does not know ${NEXT_MIGRATION}`));
});
