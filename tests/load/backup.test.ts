import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readArchive } from '#server/backup/archive.ts';
import { BackupManifest, LAST_ENTRY } from '#server/backup/manifest.ts';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { serveBucket } from '#support/bucket.ts';
import { silentLog } from '#support/recorded_log.ts';
import { openDemo, type RunningServer } from '#support/sandbox.ts';
import { book, createBookingInputs } from './bookings.ts';

/** `BACKUP_APPOINTMENTS=10000 BACKUP_PICTURES=1000` makes the large run. */
const APPOINTMENTS = Number(process.env['BACKUP_APPOINTMENTS'] ?? 500);
const PICTURES = Number(process.env['BACKUP_PICTURES'] ?? 40);
const PICTURE_BYTES = 60_000;
const LARGE_MS = 900_000;
const SECRET_KEY = 'the key of a server with its own database';

const run = promisify(execFile);

interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly peakMegabytes: number;
}

/** Runs the script of `npm run backup` or `npm run restore`. */
async function runCommand(
  name: 'backup' | 'restore',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const options = {
    cwd: inject('program'),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_DEBUG: 'linework',
      NODE_COMPILE_CACHE: join(inject('program'), 'compiled'),
      ...env,
    },
  };
  const node = join(inject('program'), 'node_modules/.bin/node');
  const { code, stdout, stderr } = await run(node, [`scripts/${name}.ts`, ...args], options).then(
    (result) => ({ code: 0, ...result }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const output = stdout + stderr;
  const peakMegabytes = Number(/Peak memory: (\d+) MB/.exec(output)?.[1]);
  return { code, output, peakMegabytes };
}

async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-backup-')));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A PostgreSQL that is not ours, and an empty database whose owner is not a superuser. */
async function serveExternalDatabase(): Promise<string> {
  const postgres = await startBundledPostgres({ dataDir: await openFolder(), log: silentLog });
  onTestFinished(() => postgres.stop());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("CREATE ROLE app LOGIN PASSWORD 'app'");
  await client.query('CREATE DATABASE app OWNER app');
  await client.end();
  const url = new URL(postgres.url);
  [url.username, url.password, url.pathname] = ['app', 'app', '/app'];
  return url.href;
}

/** Adds past appointments with all that belongs to them, and pictures with their files. */
async function fill(databaseUrl: string, mediaFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `WITH artist AS (SELECT id, studio_id FROM artists WHERE username = 'bo'),
    added_clients AS (
      INSERT INTO clients (artist_id, email, first_name, last_name, notes)
      SELECT artist.id, 'client-' || nth || '@example.com', 'Client ' || nth, E'O\\'Nil\\t\\\\ü\\n', repeat('n', 200)
      FROM artist, generate_series(1, ${APPOINTMENTS}) AS nth RETURNING id, artist_id, email
    ), numbered AS (
      SELECT *, row_number() OVER () AS nth FROM added_clients
    ), added AS (
      INSERT INTO appointments (artist_id, studio_id, client_id, status, email, first_name, customer_notes)
      SELECT artist_id, studio_id, numbered.id, 'confirmed', email, 'Client', repeat('Über der Narbe. ', 20)
      FROM numbered, artist RETURNING id, artist_id, studio_id
    ), timed AS (
      SELECT *, tstzrange(
        '2015-01-01'::timestamptz + row_number() OVER () * interval '1 hour',
        '2015-01-01'::timestamptz + (row_number() OVER () + 1) * interval '1 hour') AS during FROM added
    ), times AS (
      INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
      SELECT id, artist_id, studio_id, during, during, true FROM timed
    )
    INSERT INTO appointment_events (appointment_id, actor, what, to_status)
    SELECT id, 'client', 'booked', 'confirmed' FROM added, generate_series(1, 3)`,
  );
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO images (artist_id, kind, title, width, height, widths, formats)
    SELECT artists.id, 'portfolio', 'Picture ' || nth, 1600, 1200, '{400,800}', '{avif,webp}'
    FROM artists, generate_series(1, ${PICTURES}) AS nth WHERE username = 'bo' RETURNING images.id`,
  );
  await client.end();
  const bytes = Buffer.alloc(PICTURE_BYTES);
  for (const [nth, { id }] of rows.entries()) {
    await mkdir(join(mediaFolder, id), { mode: 0o700 });
    for (const name of ['400.avif', '400.webp', '800.avif', '800.webp']) {
      bytes.write(`${nth} ${name}`);
      await writeFile(join(mediaFolder, id, name), bytes, { mode: 0o600 });
    }
  }
}

/** Views and books until `stop` is called, which returns the statuses of all answers and the slowest. */
async function startLoad(server: RunningServer) {
  const inputs = await createBookingInputs(server);
  const statuses: number[] = [];
  let slowestMs = 0;
  let isStopped = false;
  const repeat = async (request: (nth: number) => Promise<number>) => {
    for (let nth = 0; !isStopped; nth += 1) {
      const startedAt = performance.now();
      statuses.push(await request(nth));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  };
  const loops = [
    repeat(async () => (await fetch(`${server.url}/bo/about`)).status),
    repeat(async () => (await fetch(`${server.url}/api/v1/services/ana/available`)).status),
    repeat(async (nth) => {
      const input = inputs[nth];
      return input
        ? (await book(server, input)).status
        : (await fetch(`${server.url}/readyz`)).status;
    }),
  ];
  return async () => {
    isStopped = true;
    await Promise.all(loops);
    return { statuses, slowestMs };
  };
}

/** The manifest of a backup, and the sums of its pictures. */
async function readBackup(path: string) {
  const { signal } = new AbortController();
  let manifest: BackupManifest | undefined;
  const pictures = new Map<string, string>();
  await readArchive(path, signal, async (name, bytes) => {
    if (name === LAST_ENTRY)
      manifest = BackupManifest.parse(JSON.parse(Buffer.from(bytes).toString()));
    if (!name.startsWith('media/')) return;
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes));
    pictures.set(name, Buffer.from(digest).toString('hex'));
  });
  if (!manifest) throw new Error('The backup has no manifest');
  return { manifest, pictures };
}

/** The tables with their counts and sums, but those that a server or a command itself writes. */
function tablesOf({ tables }: BackupManifest) {
  const { backups: _, ...others } = tables;
  return others;
}

test(
  'a backup under load refuses no request, and goes from bundled PostgreSQL and files to external PostgreSQL and a bucket, and back, with equal counts and sums',
  async () => {
    const folder = await openFolder();
    await using sandbox = await openDemo();
    const server = await sandbox.serve();
    await fill(await sandbox.databaseUrl(), join(sandbox.dataDir, 'media'));
    const first = join(folder, 'first.tar');
    const stopLoad = await startLoad(server);
    const backup = await runCommand('backup', [first], { DATA_DIR: sandbox.dataDir });
    const { statuses, slowestMs } = await stopLoad();
    expect(backup).toMatchObject({ code: 0 });
    expect([...new Set(statuses)].toSorted()).toEqual([200, 201]);
    console.log(
      `${statuses.length} requests meanwhile, the slowest ${Math.round(slowestMs)} ms. ${backup.output}`,
    );
    // Half of the data is pictures: it does not grow with them.
    expect(backup.peakMegabytes).toBeLessThan(400);
    const refused = await runCommand('restore', [first, '--without-erasures'], {
      DATA_DIR: sandbox.dataDir,
      NODE_DEBUG: '',
    });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/^.* already using .*\n$/);
    expect((await server.stop()).code).toBe(0);

    const { settings } = await serveBucket();
    const external = { DATABASE_URL: await serveExternalDatabase(), SECRET_KEY, ...settings };
    const restored = await runCommand('restore', [first, '--without-erasures'], {
      DATA_DIR: join(folder, 'external'),
      ...external,
    });
    console.log(restored.output);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.output).toContain('set SECRET_KEY_PREVIOUS to what this prints');
    expect(restored.peakMegabytes).toBeLessThan(400);
    expect(existsSync(join(folder, 'external/postgres'))).toBe(false);

    const second = join(folder, 'second.tar');
    expect(
      await runCommand('backup', [second], { DATA_DIR: join(folder, 'external'), ...external }),
    ).toMatchObject({ code: 0 });
    const bundledDir = join(folder, 'bundled');
    const returned = await runCommand('restore', [second, '--without-erasures'], {
      DATA_DIR: bundledDir,
      SECRET_KEY,
    });
    expect(returned).toMatchObject({ code: 0 });
    const third = join(folder, 'third.tar');
    // No server runs: the command starts the database itself.
    const last = await runCommand('backup', [third], { DATA_DIR: bundledDir, SECRET_KEY });
    expect(last).toMatchObject({ code: 0 });

    const [a, b, c] = [await readBackup(first), await readBackup(second), await readBackup(third)];
    expect(a.manifest.tables['appointments']?.rows).toBeGreaterThanOrEqual(APPOINTMENTS);
    expect(a.manifest.pictures).toMatchObject({ missing: 0, deletedMeanwhile: 0 });
    expect(a.pictures.size).toBeGreaterThanOrEqual(PICTURES * 4);
    expect(tablesOf(b.manifest)).toEqual(tablesOf(a.manifest));
    expect(tablesOf(c.manifest)).toEqual(tablesOf(a.manifest));
    expect(b.pictures).toEqual(a.pictures);
    expect(c.pictures).toEqual(a.pictures);

    // The restored place serves.
    const again = await sandbox.serve({ env: { DATA_DIR: bundledDir, SECRET_KEY } });
    const [name = ''] = a.pictures.keys();
    expect((await fetch(`${again.url}/${name}`)).status).toBe(200);
    expect((await fetch(`${again.url}/bo/about`)).status).toBe(200);
    expect((await again.stop()).code).toBe(0);
  },
  LARGE_MS,
);
