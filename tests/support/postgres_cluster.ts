import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { openJobRunner } from '#server/jobs/queue.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL that has the database `migrated` to copy from. */
    cluster: string;
    /** The tables of `migrated` that hold what the product keeps. */
    tables: readonly string[];
  }
}

/** One real PostgreSQL for the whole run; each worker has a database in it (studio.ts). */
export default async function startPostgresCluster(
  project: TestProject,
): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-tests-'));
  // So that the database's own user can enter it when the tests run as root.
  await chmod(dataDir, 0o755);
  const postgres = await startBundledPostgres({ dataDir, log: () => {} });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // A crash of the machine ends the tests anyway: nothing need reach the disk.
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('SELECT pg_reload_conf()');
  await client.query('CREATE DATABASE migrated');
  await client.end();
  const migrated = databaseUrl(postgres.url, 'migrated');
  await migrate(migrated);
  // Its tables are copied along, so that each test finds them there.
  const workshop = await openJobRunner(migrated, () => {});
  await workshop.stop();
  project.provide('cluster', postgres.url);
  project.provide('tables', await tablesOf(migrated));
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** All but the one that tells which migrations have run. */
async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'",
  );
  await client.end();
  return rows.map(({ tablename }) => tablename);
}

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
