import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { inject } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import type { JobHandlers, JobKind, JobQueue } from '#server/jobs/jobs.ts';
import { openJobRunner } from '#server/jobs/queue.ts';
import { openJobDrain } from './job_drain.ts';
import { databaseUrl } from './postgres_cluster.ts';
import { queryDatabase } from './sandbox.ts';

export type TestDatabase = ReturnType<typeof createTestDatabase>;

/** Creates a migrated database in the cluster of this run and returns its URL. */
export async function createDatabaseCopy(): Promise<string> {
  const cluster = inject('cluster');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryDatabase(cluster, `CREATE DATABASE ${name} TEMPLATE migrated STRATEGY wal_log`);
  return databaseUrl(cluster, name);
}

/**
 * A database with its connections and its job queue. Connects lazily, because some tests use
 * databases that cannot be reached.
 */
export function createTestDatabase(url: string, log: Logger) {
  const database = openDatabase(url);
  const jobRunner = lazy(() => openJobRunner(url, log));
  const jobDrain = lazy(() => openJobDrain(url));
  const cleaner = lazy(() => openCleaner(url));
  let hasJobs = false;
  const jobs: JobQueue = {
    async enqueue(...added) {
      hasJobs = true;
      await (await jobRunner.open()).enqueue(...added);
    },
    async deleteJobsWithEmail(...of) {
      await (await jobRunner.open()).deleteJobsWithEmail(...of);
    },
  };
  return {
    url,
    database,
    jobs,
    /** Runs all due jobs of these kinds, by default of all, and the jobs that they enqueue. */
    runJobs: async ({ run }: JobHandlers, kinds?: readonly JobKind[]) =>
      (await jobDrain.open()).runJobs(run, kinds),
    /** Deletes all jobs and mails, so that no later test runs or sends them. */
    async deleteJobs() {
      if (!hasJobs) return;
      hasJobs = false;
      await (await cleaner.open()).client.query('DELETE FROM pgboss.job; DELETE FROM mails');
    },
    /** Deletes all rows. Returns false if the test has made the database unusable. */
    async deleteAllRows() {
      hasJobs = false;
      try {
        // Some tests terminate our connections or rename tables.
        await sql`SELECT 1`.execute(database);
        const { client } = await cleaner.open();
        const tables = ['pgboss.job', ...inject('tables')];
        // Foreign keys form cycles, so disable their checks.
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
      await cleaner.stop();
      await jobDrain.stop();
      await jobRunner.stop();
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

function lazy<T extends { stop(): Promise<void> }>(openResource: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    open() {
      opened ??= openResource();
      return opened;
    },
    async stop() {
      await (await opened)?.stop();
    },
  };
}
