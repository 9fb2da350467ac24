import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseNotAnswering } from './database_guard.ts';
import { errorCode } from './error_code.ts';
import { isReadTimeout, withPreparedStatements } from './prepared_statements.ts';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** PostgreSQL's id of the type `date`. */
const DATE_OID = 1082;

/** The connections that only the jobs of mails use: otherwise, each of their statements waits for hundreds of requests. */
export const MAIL_CONNECTIONS = 1;
/**
 * How many connections of a process (`DATABASE_CONNECTIONS`) are not in its pool: that of mails, two of pg-boss, one for
 * LISTEN and one for the monitor.
 */
export const CONNECTIONS_BESIDE_POOL = MAIL_CONNECTIONS + 4;
/** The connections in the pool of a process, unless set. */
export const DEFAULT_POOL_SIZE = 7;
/** The `application_name` of the connection for LISTEN. */
export const LISTENER_NAME = 'linework listener';
/** After waiting this long for a free connection, an HTTP request is answered with status 503. */
const CONNECTION_TIMEOUT_MS = 10_000;
/** PostgreSQL cancels a statement that takes longer. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** Creates a pool with `openPool`, for queries with types. */
export function openDatabase(
  url: string,
  maxConnections?: number,
  settings?: Readonly<pg.PoolConfig>,
): Database {
  return databaseOf(openPool(url, maxConnections, settings));
}

/**
 * Queries with types on a pool. Destroying the database ends the pool.
 * @param connect takes a connection from the pool
 */
export function databaseOf(pool: pg.Pool, connect = () => pool.connect()): Database {
  const dialect = new PostgresDialect({ pool: withPreparedStatements(pool, connect) });
  return new Kysely<DB>({ dialect });
}

/**
 * Creates a pool, which opens connections when they are needed. `timestamptz` is read as `Date`,
 * `date` as a `YYYY-MM-DD` string.
 * @param settings replace our settings of the same names, except `types`
 */
export function openPool(
  url: string,
  maxConnections = DEFAULT_POOL_SIZE,
  settings: Readonly<pg.PoolConfig> = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // pg's own, longer limit: PostgreSQL cannot report a timeout while the network is down.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    // Statements can be sent before earlier ones are answered (`withPreparedStatements`).
    pipeline: true,
    // A prepared statement is planned once, not for each of its values: planning costs more than running it
    // (docs/decisions, 0075). A value that a partial index demands must be a literal (`sql.lit`). The table may have been
    // small then, and grow in a rush: so reading all of it is not planned while an index can answer. PostgreSQL before 18
    // would then find statements without an index so expensive that it compiles them (`jit`).
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
    ...settings,
    types: {
      // Without this parser, pg would read a date as midnight in the machine's own time zone.
      getTypeParser: (id, format) =>
        id === DATE_OID ? (text: string) => text : pg.types.getTypeParser(id, format),
    },
  });
  // Without listeners, a lost connection would end the process. The listeners do nothing, because
  // the pool replaces a lost idle connection, and a query on a lost connection is rejected.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Returns the name of the constraint that a PostgreSQL error reports, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether an INSERT or UPDATE failed because the row refers to a missing row. */
export function isMissingReference(error: unknown): boolean {
  return (
    errorCode(error) === FOREIGN_KEY_VIOLATION &&
    error instanceof Error &&
    // Deleting a row that others refer to has the same code, but another message.
    error.message.startsWith('insert or update on table')
  );
}

/** PostgreSQL's codes for a serialization failure and a deadlock. */
const RETRYABLE_CODES = new Set(['40001', '40P01']);

/** Whether a transaction failed because of a concurrent one, so that a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE_CODES.has(errorCode(error) ?? '');
}

/**
 * Network errors of Node, then codes of PostgreSQL: 08 connection failed, 57P shutdown, 53 out of
 * resources, 3D000 no such database, 57014 statement timeout.
 */
const UNAVAILABLE_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0[1-5]|53\w{3}|3D000|57014)$/;

/** Whether an error means that the database cannot answer now, as opposed to a wrong query. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE_CODES.test(code);
  if (isReadTimeout(error) || error instanceof DatabaseNotAnswering) return true;
  // These errors of pg and its pool have no code.
  return (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect|client (?:has encountered a connection error|was closed)/i.test(
      error.message,
    )
  );
}
