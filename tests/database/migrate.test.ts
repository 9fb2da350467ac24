import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { migrate } from '#server/database/migrate.ts';
import { databaseUrl } from '#support/postgres_cluster.ts';

const FILES = (await readdir('src/server/database/migrations')).sort();

async function createBlankDatabase(): Promise<string> {
  const cluster = inject('cluster');
  const name = `blank_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  onTestFinished(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  });
  return databaseUrl(cluster, name);
}

test('every migration is applied once, in order', async () => {
  const url = await createBlankDatabase();
  expect(await migrate(url)).toEqual(FILES);
  expect(await migrate(url)).toEqual([]);
});

test('servers that start concurrently apply each migration once', async () => {
  const url = await createBlankDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat()).toEqual(FILES);
});

test('a migration that changed after it was applied is refused with its name', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  await sql`UPDATE migrations SET sha256 = 'other' WHERE name = ${FILES[0]}`.execute(database);
  await database.destroy();
  await expect(migrate(url)).rejects.toThrow(`Migration ${FILES[0]} was changed`);
});

test('a failed migration is rolled back', async () => {
  const url = await createBlankDatabase();
  const database = openDatabase(url, 1);
  // The first migration creates this table too.
  await sql`CREATE TABLE artists (id int)`.execute(database);
  await expect(migrate(url)).rejects.toThrow('already exists');
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
    ORDER BY 1
  `.execute(database);
  await database.destroy();
  expect(rows.map(({ name }) => name)).toEqual(['artists', 'migrations']);
});
