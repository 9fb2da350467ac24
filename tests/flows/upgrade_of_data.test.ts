import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkBackup, loadBackup } from '#server/backup/restore.ts';
import { restoreToNewFolder } from '#server/backup/restored_pictures.ts';
import { migrate } from '#server/database/migrate.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';
import { openFolder } from '#support/folder.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { createNextMigrations, MIGRATION_FILES, NEXT_MIGRATION } from '#support/next_version.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';
import { ARTISTS, idOf, STATUSES } from '../fixtures/filled_tables.ts';

/** Made by 0.1.0, and kept for ever: tests/fixtures/README.md. */
const BACKUP = 'tests/fixtures/backup_0.1.0.tar';

type Row = Record<string, unknown>;

/** Restores the backup of 0.1.0 into an empty database and folder. */
async function restoreBackup() {
  const { signal } = new AbortController();
  const url = await createEmptyDatabase();
  const media = join(await openFolder(), 'media');
  const onProgress = () => {};
  const manifest = await checkBackup(BACKUP, signal, onProgress);
  await loadBackup(BACKUP, manifest, url, {
    pictures: restoreToNewFolder(media),
    erasures: [],
    beforeCommit: async () => {},
    signal,
    onProgress,
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return { url, client, media, manifest };
}

test('a database of 0.1.0 is restored and upgraded: no row is lost, and a server of 0.1 runs on with a migration that allows it', async () => {
  const { url, client, media, manifest } = await restoreBackup();
  expect(manifest.program).toBe('0.1.0');
  expect(await readdir(media)).toHaveLength(3);
  await migrate(url);
  const restored = await readTables(client);
  for (const [table, { rows }] of Object.entries(manifest.tables)) {
    const count = table === 'migrations' ? MIGRATION_FILES.length : rows;
    expect([table, restored.get(table)?.length, rows > 0]).toEqual([table, count, true]);
  }
  const app = await openTestApp({ database: new URL(url), servesPages: false });
  await expectReads(app);
  // The server fills in what was agreed; as of a day before all appointments.
  await app.runMinutelyTasks(Date.UTC(2026, 0));
  const unknown = await client.query('SELECT FROM appointment_times WHERE agreed_local IS NULL');
  expect(unknown.rowCount).toBe(0);

  const before = await readTables(client);
  expect(await migrate(url, { folder: await createNextMigrations('can') })).toEqual([
    NEXT_MIGRATION,
  ]);
  const after = await readTables(client);
  expect(after.get('made_up')).toHaveLength(ARTISTS.length);
  for (const [table, rows] of before)
    for (const row of rows) expect([table, findRow(after.get(table), row)]).toEqual([table, row]);
  await expectReads(app);
});

/** The row that has all these values, with the same columns only. */
function findRow(rows: readonly Row[] = [], values: Row): Row | undefined {
  const columns = Object.keys(values);
  const only = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column]]));
  const wanted = JSON.stringify(values);
  return rows.map(only).find((row) => JSON.stringify(row) === wanted);
}

/** All rows of all tables, by the name of the table. */
async function readTables(client: pg.Client): Promise<Map<string, Row[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const contents = new Map<string, Row[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${name} AS t`,
    );
    contents.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return contents;
}

/** What visitors read of an artist, and the artist of their studio. */
const PUBLIC_READS = ['', '/pages/designs', '/pages/services', '/pages/portfolio'];
const STUDIO_READS = [
  ...['/users/me', '/users/me/security-events', '/users/me/messages', '/users/me/blocked'],
  ...['/users/me/sessions', '/users/me/exports', '/appointments/', '/clients/', '/services/'],
  ...['/clients/data-requests', '/designs/', '/images/portfolio', '/mails/'],
];

/** Reads what clients and artists open first, and every appointment as its client. */
async function expectReads(app: TestApp): Promise<void> {
  const read = async (path: string, token?: string) => {
    const { status } = await app.call(`GET ${path}`, token === undefined ? {} : { token });
    expect([path, status, app.logged]).toEqual([path, 200, []]);
  };
  const [username] = ARTISTS;
  const form = { username: `${username}@example.com`, password: PASSWORD };
  const login = await app.call<{ access_token: string }>('POST /login/access-token', { form });
  expect(login.status).toBe(200);
  const token = login.body.access_token;
  for (const path of PUBLIC_READS) await read(`/users/artist/${username}${path}`);
  for (const path of STUDIO_READS) await read(path, token);
  for (const row of STATUSES.keys()) {
    const id = idOf('appointments', row);
    await read(`/appointments/confirmation/${id}`);
    if (row % ARTISTS.length === 0) await read(`/appointments/${id}`, token);
  }
}
