import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readArchive } from '#server/backup/archive.ts';
import { BackupManifest, LAST_ENTRY } from '#server/backup/manifest.ts';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { serveBucket } from '#support/bucket.ts';
import { openFolder } from '#support/folder.ts';
import { silentLog } from '#support/recorded_log.ts';
import { openDemo, queryDatabase, type Sandbox } from '#support/sandbox.ts';
import { createBookingInputs } from './bookings.ts';
import { startTraffic } from './proxied_traffic.ts';

/** `BACKUP_APPOINTMENTS=10000 BACKUP_PICTURES=1000` makes the large run. */
const APPOINTMENTS = Number(process.env['BACKUP_APPOINTMENTS'] ?? 500);
const PICTURES = Number(process.env['BACKUP_PICTURES'] ?? 40);
const PICTURE_BYTES = 60_000;
const LARGE_MS = 900_000;
const SECRET_KEY = 'the key of a server with its own database';

/** Runs `npm run backup` or `npm run restore`. */
async function runCommand(
  { launch }: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const [name = '', ...others] = args;
  const npmArgs = ['run', '--silent', name, '--', ...others];
  const program = launch({ npmArgs, env: { NODE_DEBUG: 'linework', ...env } });
  const [code] = await once(program.process, 'close');
  const output = program.output();
  const peakMegabytes = Number(/Peak memory: (\d+) MB/.exec(output)?.[1]);
  return { code, output, peakMegabytes };
}

/** The database's own user must enter it when the tests run as root. */
async function openPassableFolder(): Promise<string> {
  const folder = await realpath(await openFolder());
  await chmod(folder, 0o755);
  return folder;
}

/** A PostgreSQL that is not ours, and an empty database whose owner is not a superuser. */
async function serveExternalDatabase(): Promise<string> {
  const dataDir = await openPassableFolder();
  const postgres = await startBundledPostgres({ dataDir, log: silentLog });
  onTestFinished(() => postgres.stop());
  await queryDatabase(postgres.url, "CREATE ROLE app LOGIN PASSWORD 'app'");
  await queryDatabase(postgres.url, 'CREATE DATABASE app OWNER app');
  const url = new URL(postgres.url);
  [url.username, url.password, url.pathname] = ['app', 'app', '/app'];
  return url.href;
}

/**
 * Adds past appointments with all that belongs to them, and pictures with their files.
 * @returns the names of the files in a backup
 */
async function fill(databaseUrl: string, mediaFolder: string): Promise<string[]> {
  await queryDatabase(
    databaseUrl,
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
  const rows = await queryDatabase(
    databaseUrl,
    `INSERT INTO images (artist_id, kind, title, width, height, widths, formats)
    SELECT artists.id, 'portfolio', 'Picture ' || nth, 1600, 1200, '{400,800}', '{avif,webp}'
    FROM artists, generate_series(1, ${PICTURES}) AS nth WHERE username = 'bo' RETURNING images.id`,
  );
  const bytes = Buffer.alloc(PICTURE_BYTES);
  const added: string[] = [];
  for (const [nth, [id]] of rows.entries()) {
    const folder = join(mediaFolder, String(id));
    await mkdir(folder, { mode: 0o700 });
    for (const name of ['400.avif', '400.webp', '800.avif', '800.webp']) {
      bytes.write(`${nth} ${name}`);
      await writeFile(join(folder, name), bytes, { mode: 0o600 });
      added.push(`media/${id}/${name}`);
    }
  }
  return added;
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
    const folder = await openPassableFolder();
    await using sandbox = await openDemo();
    const server = await sandbox.serve();
    const media = join(sandbox.dataDir, 'media');
    const added = await fill(await sandbox.databaseUrl(), media);
    const first = join(folder, 'first.tar');
    const traffic = startTraffic(server.url, await createBookingInputs(server));
    const backup = await runCommand(sandbox, ['backup', first]);
    const meanwhile = await traffic.stop();
    expect(backup).toMatchObject({ code: 0 });
    console.log(`${JSON.stringify(meanwhile)} meanwhile. ${backup.output}`);
    expect(meanwhile).toMatchObject({ unavailable: 0, failures: [] });
    expect(meanwhile.views).toBeGreaterThan(10);
    expect(meanwhile.bookings).toBeGreaterThan(0);
    // Half of the data is pictures: it does not grow with them.
    expect(backup.peakMegabytes).toBeLessThan(400);
    const restoreFirst = ['restore', first, '--without-erasures'];
    const refused = await runCommand(sandbox, restoreFirst, { NODE_DEBUG: '' });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/^.* already using .*\n$/);
    expect((await server.stop()).code).toBe(0);

    const { settings } = await serveBucket();
    const external = { DATABASE_URL: await serveExternalDatabase(), SECRET_KEY, ...settings };
    const atExternal = { ...external, DATA_DIR: join(folder, 'external') };
    const restored = await runCommand(sandbox, restoreFirst, atExternal);
    console.log(restored.output);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.output).toContain('set SECRET_KEY_PREVIOUS to what this prints');
    expect(restored.peakMegabytes).toBeLessThan(400);
    expect(existsSync(join(folder, 'external/postgres'))).toBe(false);

    const second = join(folder, 'second.tar');
    const again = await runCommand(sandbox, ['backup', second], atExternal);
    expect(again).toMatchObject({ code: 0 });
    const atBundled = { DATA_DIR: join(folder, 'bundled'), SECRET_KEY };
    const restoreSecond = ['restore', second, '--without-erasures'];
    expect(await runCommand(sandbox, restoreSecond, atBundled)).toMatchObject({ code: 0 });
    const third = join(folder, 'third.tar');
    // No server runs: the command starts the database itself.
    expect(await runCommand(sandbox, ['backup', third], atBundled)).toMatchObject({ code: 0 });

    const [a, b, c] = [await readBackup(first), await readBackup(second), await readBackup(third)];
    expect(a.manifest.tables['appointments']?.rows).toBeGreaterThanOrEqual(APPOINTMENTS);
    expect(a.manifest.pictures).toMatchObject({ missing: 0, deletedMeanwhile: 0 });
    expect(added.filter((name) => !a.pictures.has(name))).toEqual([]);
    expect(tablesOf(b.manifest)).toEqual(tablesOf(a.manifest));
    expect(tablesOf(c.manifest)).toEqual(tablesOf(a.manifest));
    expect(b.pictures).toEqual(a.pictures);
    expect(c.pictures).toEqual(a.pictures);

    // The restored place serves.
    const serving = await sandbox.serve({ env: atBundled });
    const [name = ''] = a.pictures.keys();
    expect((await fetch(`${serving.url}/${name}`)).status).toBe(200);
    expect((await fetch(`${serving.url}/bo/about`)).status).toBe(200);
    expect((await serving.stop()).code).toBe(0);
  },
  LARGE_MS,
);
