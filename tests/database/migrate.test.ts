import { expect, test } from 'vitest';
import { OtherVersion } from '#server/database/database_versions.ts';
import { migrate } from '#server/database/migrate.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';
import { createNextMigrations, MIGRATION_FILES, NEXT_MIGRATION } from '#support/next_version.ts';
import { recordLog } from '#support/recorded_log.ts';
import { queryDatabase } from '#support/sandbox.ts';

const listTables = (url: string) =>
  queryDatabase(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");

test('every migration is applied once, in order, and a later version applies only its own', async () => {
  const url = await createEmptyDatabase();
  expect(await migrate(url)).toEqual(MIGRATION_FILES);
  expect(await migrate(url)).toEqual([]);
  const folder = await createNextMigrations('can');
  expect(await migrate(url, { folder })).toEqual([NEXT_MIGRATION]);
  expect(await migrate(url, { folder })).toEqual([]);
});

test('servers that start concurrently apply each migration once', async () => {
  const url = await createEmptyDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat()).toEqual(MIGRATION_FILES);
});

test('a migration that changed after it was applied is refused with its name', async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  await queryDatabase(url, "UPDATE migrations SET sha256 = 'other'");
  const refused = migrate(url);
  await expect(refused).rejects.toThrow(`The migration ${MIGRATION_FILES[0]} was changed`);
  // So that a command does not ask to correct DATABASE_URL.
  await expect(refused).rejects.toThrow(OtherVersion);
});

test('a database that a newer version has migrated is left alone and refused by name', async () => {
  const url = await createEmptyDatabase();
  await migrate(url, { folder: await createNextMigrations('can') });
  const tables = await listTables(url);
  await expect(migrate(url)).rejects.toThrow(`does not know ${NEXT_MIGRATION}`);
  expect(await listTables(url)).toEqual(tables);
});

test('a database of a newer version is used if the operator and its migrations allow that, and logged', async () => {
  const url = await createEmptyDatabase();
  await migrate(url, { folder: await createNextMigrations('can') });
  const logged: string[] = [];
  const log = recordLog(logged);
  expect(await migrate(url, { allowsNewer: true, log })).toEqual([]);
  expect(logged).toEqual([expect.stringContaining(NEXT_MIGRATION)]);
});

test('a database from before 0.1 is refused with a sentence that says what to do, and not changed', async () => {
  const url = await createEmptyDatabase();
  // The table of migrations as the first versions had it.
  await queryDatabase(url, 'CREATE TABLE migrations (name text PRIMARY KEY, sha256 text NOT NULL)');
  await queryDatabase(url, "INSERT INTO migrations VALUES ('0001_booking.sql', 'hash')");
  await queryDatabase(url, 'CREATE TABLE places AS SELECT 1 AS id');
  await expect(migrate(url, { allowsNewer: true })).rejects.toThrow(
    /^This database was made by a version of Linework before 0\.1, .* Nothing in it was changed\. Start with an empty DATA_DIR, or with a new database/,
  );
  expect(await listTables(url)).toEqual([['migrations'], ['places']]);
  const rows = await queryDatabase(url, 'SELECT * FROM migrations');
  expect(rows).toEqual([['0001_booking.sql', 'hash']]);
});

test('a failed migration is rolled back, and the first one leaves a database of another program as it was', async () => {
  const url = await createEmptyDatabase();
  // The first migration creates this table too.
  await queryDatabase(url, 'CREATE TABLE artists (id int)');
  await expect(migrate(url)).rejects.toThrow('already exists');
  expect(await listTables(url)).toEqual([['artists']]);
});
