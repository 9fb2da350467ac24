import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { databaseUrl } from './postgres_cluster.ts';

const FOLDER = 'src/server/database/migrations';

/** The files of all migrations, in order. */
export const MIGRATION_FILES: readonly string[] = (await readdir(FOLDER)).sort();

/** Creates an empty database without tables for the current test, and returns its URL. */
export async function createBlankDatabase(): Promise<string> {
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

/** A database with the migrations before this one. `migrateOn` applies this one and all after it. */
export async function openDatabaseBefore(migration: string) {
  const url = await createBlankDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const apply = async (files: readonly string[]) => {
    for (const name of files) await client.query(await readFile(`${FOLDER}/${name}`, 'utf8'));
  };
  await apply(MIGRATION_FILES.filter((file) => file < migration));
  return {
    url,
    client,
    migrateOn: () => apply(MIGRATION_FILES.filter((file) => file >= migration)),
  };
}
