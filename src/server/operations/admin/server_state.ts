/** The state of our servers for superusers: their versions, space, jobs and errors. */
import type {
  DoctorFinding,
  JobQueueState,
  ServerError,
  ServerErrorQuery,
  ServerState,
} from '#contract/admin.ts';
import type { ListPage } from '#contract/common.ts';
import { isBackupOld } from '#domain/backup.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { findLastBackup } from '#server/database/backups.ts';
import { loadPostgresVersion } from '#server/database/postgres_version.ts';
import { countTroubles, listJobQueues, loadLastMigration } from '#server/database/queue_sizes.ts';
import * as errors from '#server/database/server_errors.ts';
import type { Context } from '../context.ts';

/** Describes the server that answers, its database, the last backup and the trouble that needs attention. */
export async function loadServerState(
  { database, server, mailer }: Context,
  now: Instant,
): Promise<ServerState> {
  const [program, disk, postgres, migration, backup, troubles] = await Promise.all([
    server.readVersion(),
    server.readDisk(),
    loadPostgresVersion(database),
    loadLastMigration(database),
    findLastBackup(database),
    countTroubles(database),
  ]);
  return {
    versions: { program, node: process.version, postgres, migration },
    sends_mail: !mailer.onlySaves,
    disk: { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes },
    backup: backup
      ? {
          file: backup.file,
          bytes: backup.bytes,
          seconds: backup.seconds,
          finished_at: toRfc3339(backup.finishedAt),
          is_old: isBackupOld(backup.finishedAt, now),
        }
      : null,
    troubles,
  };
}

/** Checks every part of the server that answers. */
export async function runServerChecks({ server }: Context): Promise<ListPage<DoctorFinding>> {
  const findings = await server.runDoctor();
  const data = findings.map((finding) => ({
    part: finding.part,
    status: finding.status,
    message: finding.message,
    advice: finding.status === 'ok' ? null : finding.advice,
  }));
  return { data, count: data.length };
}

/** Counts the jobs of each queue that are not done, with the last error of each. */
export async function listQueueStates({ database }: Context): Promise<ListPage<JobQueueState>> {
  const [queues, lastErrors] = await Promise.all([
    listJobQueues(database),
    errors.listLastJobErrors(database),
  ]);
  const data = queues.map((row) => {
    const error = lastErrors.find(({ route }) => route === errors.jobRoute(row.queue));
    return {
      queue: row.queue,
      waiting: row.waiting,
      retrying: row.retrying,
      running: row.running,
      failed: row.failed,
      oldest_at: row.oldest_at && toRfc3339(row.oldest_at.getTime()),
      last_error: error
        ? {
            happened_at: toRfc3339(error.happened_at.getTime()),
            name: error.name,
            code: error.code,
            message: error.message,
          }
        : null,
    };
  });
  return { data, count: data.length };
}

/** The id of a request in a text such as '(Reference: d2fe54ec93-9e)', as our servers make ids. */
const REFERENCE = /[0-9a-f]{10}-[0-9a-z]+/i;

/** Lists the errors of answers and jobs, the newest first. A search may be the sentence with a request's id. */
export async function listServerErrors(
  { database }: Context,
  { search, skip, limit }: ServerErrorQuery,
): Promise<ListPage<ServerError>> {
  const searched = REFERENCE.exec(search ?? '')?.[0] ?? search;
  const { rows, count } = await errors.searchServerErrors(database, searched, { skip, limit });
  const data = rows.map((row) => ({
    id: row.id,
    happened_at: toRfc3339(row.happened_at.getTime()),
    request_id: row.request_id,
    route: row.route,
    status: row.status,
    name: row.name,
    code: row.code,
    message: row.message,
    stack: row.stack,
  }));
  return { data, count };
}
