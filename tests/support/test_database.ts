import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#server/database/connect.ts';
import type { JobHandlers, JobQueue } from '#server/jobs/jobs.ts';
import { openJobRunner } from '#server/jobs/queue.ts';
import { openJobDrain } from './job_drain.ts';
import { databaseUrl } from './postgres_cluster.ts';

/** A database with the connections and the job queue that tests use it by. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  readonly jobs: JobQueue;
  /** Does every job that is due, and what that brings about. */
  runJobs(handlers: JobHandlers): Promise<void>;
  /** Forgets the jobs and mails that are left, so that no later test does or sends them. */
  deleteJobs(): Promise<void>;
  /** Deletes every row; answers whether the next test can use it, whatever this one did to it. */
  deleteAllRows(): Promise<boolean>;
  close(): Promise<void>;
}

/** A new migrated database in the cluster of this run. */
export async function createDatabaseCopy(): Promise<string> {
  const cluster = inject('cluster');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE migrated STRATEGY wal_log`);
  } finally {
    await client.end();
  }
  return databaseUrl(cluster, name);
}

/** Opens nothing before a test needs it: some databases cannot be reached. */
export function createTestDatabase(url: string, log: (line: string) => void): TestDatabase {
  const database = openDatabase(url);
  const workshop = lazy(() => openJobRunner(url, log));
  const worker = lazy(() => openJobDrain(url));
  const janitor = lazy(() => openCleaner(url));
  let hasJobs = false;
  return {
    url,
    database,
    jobs: {
      async enqueue(...added) {
        hasJobs = true;
        await (await workshop.open()).enqueue(...added);
      },
    },
    runJobs: async ({ run }) => (await worker.open()).runJobs(run),
    async deleteJobs() {
      if (!hasJobs) return;
      hasJobs = false;
      await (await janitor.open()).client.query('DELETE FROM pgboss.job; DELETE FROM mails');
    },
    async deleteAllRows() {
      hasJobs = false;
      try {
        // Some tests end our connections, or rename tables.
        await sql`SELECT 1`.execute(database);
        const { client } = await janitor.open();
        const tables = ['pgboss.job', ...inject('tables')];
        // Tables refer to one another in circles.
        await client.query(
          `SET session_replication_role = replica;
          ${tables.map((table) => `DELETE FROM ${table}`).join(';')}`,
        );
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await janitor.stop();
      await worker.stop();
      await workshop.stop();
      await database.destroy();
    },
  };
}

async function openCleaner(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return { client, stop: () => client.end() };
}

function lazy<T extends { stop(): Promise<void> }>(openOne: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    open() {
      opened ??= openOne();
      return opened;
    },
    async stop() {
      await (await opened)?.stop();
    },
  };
}
