import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { openJobRunner } from '#server/jobs/queue.ts';
import { silentLog } from './recorded_log.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a PostgreSQL with the template database `migrated`. */
    cluster: string;
    /** The tables of `migrated`, without `migrations`. */
    tables: readonly string[];
  }
}

/** Starts one PostgreSQL for the whole run. Tests copy databases from it (test_database.ts). */
export default async function startPostgresCluster(
  project: TestProject,
): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-tests-'));
  // The database's own user must enter it when the tests run as root.
  await chmod(dataDir, 0o755);
  const postgres = await startBundledPostgres({ dataDir, log: silentLog });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // Durability does not matter: the data is deleted after the run.
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('SELECT pg_reload_conf()');
  await client.query('CREATE DATABASE migrated');
  await client.end();
  const migrated = databaseUrl(postgres.url, 'migrated');
  await migrate(migrated);
  // Creates the tables of pg-boss, so that the copies contain them.
  const jobRunner = await openJobRunner(migrated, silentLog);
  await jobRunner.stop();
  project.provide('cluster', postgres.url);
  project.provide('tables', await tablesOf(migrated));
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** All tables except `migrations`. */
async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'",
  );
  await client.end();
  return rows.map(({ tablename }) => tablename);
}

/** The URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
