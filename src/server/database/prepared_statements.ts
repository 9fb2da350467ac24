import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/** At most this many SQL statements are prepared, because each takes memory on each connection. */
const MAX_PREPARED = 200;

/** Returns the name under which to prepare a statement; undefined if it should not be prepared. */
type NameOf = (sqlText: string) => string | undefined;

/** The result of a statement that is not sent. */
const NOTHING: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

/**
 * Wraps a pool for Kysely, so that statements with parameters are prepared: pg prepares a statement
 * that has a name. On each connection, PostgreSQL then parses the statement once and plans it only
 * the first few times, which saves most of the cost of a short statement.
 *
 * BEGIN is sent with the first statement of its transaction, to save a round trip, if that has no parameters; else
 * just before it. Statements of a transaction must be awaited one after the other.
 * @param connect takes a connection from the pool
 */
export function withPreparedStatements(
  pool: pg.Pool,
  connect: () => Promise<pg.PoolClient>,
): PostgresPool {
  const names = new Map<string, string>();
  const nameOf: NameOf = (sqlText) => {
    const knownName = names.get(sqlText);
    if (knownName !== undefined) return knownName;
    if (names.size === MAX_PREPARED) return undefined;
    // A hash is the same in all processes: a pooler may let several processes share a connection.
    const name = `statement_${createHash('sha256').update(sqlText).digest('hex').slice(0, 32)}`;
    names.set(sqlText, name);
    return name;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => createPreparingClient(await connect(), nameOf),
  };
}

function createPreparingClient(client: pg.PoolClient, nameOf: NameOf): PostgresPoolClient {
  let hasTimedOut = false;
  /** Whether a transaction has begun of which PostgreSQL does not know yet. */
  let isBeginning = false;
  // Kysely's type demands both forms, but Kysely passes a cursor only for streams (not used here).
  function query<R>(sqlText: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(textOrCursor: unknown, values: readonly unknown[] = []): unknown {
    if (typeof textOrCursor !== 'string') throw new TypeError('Cursors are not supported');
    return run(textOrCursor, values);
  }
  async function run(sqlText: string, values: readonly unknown[]) {
    try {
      if (sqlText === 'begin') {
        isBeginning = true;
        return NOTHING;
      }
      if (isBeginning) {
        isBeginning = false;
        if (sqlText === 'commit' || sqlText === 'rollback') return NOTHING;
        if (values.length === 0) return await queryForLastResult(`begin; ${sqlText}`);
        await client.query('begin');
      }
      // Statements such as COMMIT have no parameters and nothing to plan.
      if (values.length === 0) return await client.query(sqlText);
      return await client.query({ name: nameOf(sqlText), text: sqlText, values: [...values] });
    } catch (error) {
      hasTimedOut ||= isReadTimeout(error);
      throw error;
    }
  }
  /** Runs two statements without parameters. @returns the result of the second one */
  async function queryForLastResult(twoStatements: string) {
    const results: unknown = await client.query(twoStatements);
    return Array.isArray(results) ? results[1] : results;
  }
  // After a timeout, the connection still waits for PostgreSQL's answer, and would delay the next
  // query. `release(true)` closes the connection instead of returning it to the pool.
  return { query, release: (destroy) => client.release(destroy || hasTimedOut) };
}

/** Whether pg stopped waiting for PostgreSQL's answer (setting `query_timeout`). */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
