import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { errorCode } from './error_code.ts';
import { isReadTimeout, withPreparedStatements } from './prepared_statements.ts';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;

const DATE_OID = 1082;

/** How long a call waits for a free connection before the API answers 503. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * A pool of connections. Instants come as `Date`, dates as `YYYY-MM-DD`.
 * @param settings of each connection, beside our own or instead of them
 */
export function openDatabase(
  url: string,
  connections = 20,
  settings: Readonly<pg.PoolConfig> = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A network that swallows all brings no word of that either.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    ...settings,
    types: {
      // pg would read a date as midnight of the machine's own zone.
      getTypeParser: (id, format) =>
        id === DATE_OID ? (text: string) => text : pg.types.getTypeParser(id, format),
    },
  });
  // A connection that breaks while idle is replaced by the next call; unheard, it would end us.
  pool.on('error', () => {});
  // So would one that breaks while a call is using it; that call is told by its query.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }) });
}

/** Which constraint refused, when one did. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether what a row was to point at is gone; not whether something still points at what goes. */
export function isMissingReference(error: unknown): boolean {
  return (
    errorCode(error) === FOREIGN_KEY_VIOLATION &&
    error instanceof Error &&
    error.message.startsWith('insert or update on table')
  );
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** Whether others were in the way, so that the same may work when it is tried again. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** No query of ours takes this long: whatever does is stuck. */
const STATEMENT_TIMEOUT_MS = 15_000;

// Network errors of Node; then PostgreSQL's connection, shutdown, resource and timeout classes.
const UNAVAILABLE_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0[1-5]|53\w{3}|3D000|57014)$/;

/** Whether an error says that the database cannot be reached now, and not that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE_CODES.test(code);
  if (isReadTimeout(error)) return true;
  return (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
      error.message,
    )
  );
}
