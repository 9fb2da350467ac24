/** The table `server_errors` lists the last errors of answers and jobs, for the operator. */
import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';
import { loadPage, type Pagination } from './pagination.ts';

/** An error without personal data. */
export interface ServerErrorRecord {
  readonly happenedAt: Instant;
  /** Null for an error of a job. */
  readonly requestId: string | null;
  /** The method and the pattern of the route, such as `GET /[username]`; of a job `job` and its queue. */
  readonly route: string;
  /** Null for an error of a job. */
  readonly status: number | null;
  /** The class of the error, such as `TypeError`. */
  readonly name: string;
  /** PostgreSQL's SQLSTATE or Node's code; null for none. */
  readonly code: string | null;
  readonly message: string;
  /** Its frames, one a line. */
  readonly stack: string;
}

/** At most this many errors stay. */
const MAX_ROWS = 1000;

/** What an error of a job has as its `route`. */
export function jobRoute(queue: string): string {
  return `job ${queue}`;
}

export async function insertServerErrors(
  database: Database,
  errors: readonly ServerErrorRecord[],
): Promise<void> {
  if (errors.length === 0) return;
  await database
    .insertInto('server_errors')
    .values(
      errors.map(({ happenedAt, requestId, ...error }) => ({
        ...error,
        happened_at: new Date(happenedAt),
        request_id: requestId,
      })),
    )
    .execute();
}

/**
 * Lists the errors of answers and jobs, the newest first.
 * @param search a part of a request's id or of a route; empty or undefined finds all
 */
export function searchServerErrors(
  database: Database,
  search: string | undefined,
  page: Pagination,
) {
  const text = (search ?? '').toLowerCase();
  const errors = database
    .selectFrom('server_errors')
    .selectAll()
    .where(
      sql<boolean>`(strpos(lower(coalesce(request_id, '')), ${text}) > 0
        OR strpos(lower(route), ${text}) > 0)`,
    )
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc');
  return loadPage(errors, page);
}

/** Lists the last error of the jobs of each queue. */
export function listLastJobErrors(database: Database) {
  return database
    .selectFrom('server_errors')
    .distinctOn('route')
    .select(['route', 'happened_at', 'name', 'code', 'message'])
    .where('status', 'is', null)
    .orderBy('route')
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes the errors before an instant, and the oldest beyond `MAX_ROWS`. */
export async function deleteOldServerErrors(database: Database, before: Instant): Promise<void> {
  const isOld = sql`happened_at < ${new Date(before)} OR id <= (
    SELECT id FROM server_errors ORDER BY id DESC OFFSET ${MAX_ROWS} LIMIT 1
  )`;
  await deleteInBatches(database, 'server_errors', 'id', isOld);
}
