import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/** At most this many SQL statements are prepared, because each takes memory on each connection. */
const MAX_PREPARED = 200;

/** A statement without values is not prepared. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the name under which to prepare a statement; undefined if it should not be prepared. */
type NameOf = (sqlText: string) => string | undefined;

/**
 * The end of a statement in a transaction whose result nobody needs: the statement is sent with the next one, COMMIT
 * at the latest, to save a round trip. If it fails, the next one fails with its error. Its values must be such as pg can
 * always write (text, numbers, dates, null, lists of these): an error of pg itself would not stop COMMIT.
 */
export const SENT_WITH_NEXT = '/* sent with the next statement */';

/** The result of a statement that is not sent, or not yet. */
const NOTHING: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

/**
 * Wraps a pool for Kysely, so that statements with parameters are prepared: pg prepares a statement
 * that has a name. On each connection, PostgreSQL then parses the statement once and plans it only
 * the first few times, which saves most of the cost of a short statement.
 *
 * BEGIN is sent with the first statement of its transaction, as are statements that end with `SENT_WITH_NEXT`. So the
 * pool needs `pipeline`. Statements of a transaction must be awaited one after the other.
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
  let isInTransaction = false;
  /** Not sent yet. The first is BEGIN while PostgreSQL does not know of the transaction. */
  let waiting: Statement[] = [];
  // Kysely's type demands both forms, but Kysely passes a cursor only for streams (not used here).
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(textOrCursor: unknown, values: readonly unknown[] = []): unknown {
    if (typeof textOrCursor !== 'string') throw new TypeError('Cursors are not supported');
    return run({ text: textOrCursor, values });
  }
  async function run(statement: Statement): Promise<unknown> {
    const { text } = statement;
    if (text === 'begin') isInTransaction = true;
    if (text === 'begin' || (isInTransaction && text.endsWith(SENT_WITH_NEXT))) {
      waiting.push(statement);
      return NOTHING;
    }
    const isEnd = text === 'commit' || text === 'rollback';
    if (isEnd) isInTransaction = false;
    const earlier = waiting;
    waiting = [];
    const isUnknown = earlier[0]?.text === 'begin';
    if (isUnknown && (text === 'rollback' || (isEnd && earlier.length === 1))) return NOTHING;
    return send(text === 'rollback' ? [statement] : [...earlier, statement]);
  }
  /** Sends statements at once. @returns the result of the last one @throws the error of the first that fails */
  async function send(statements: readonly Statement[]): Promise<unknown> {
    const { stream } = client.connection;
    stream.cork();
    const results = Promise.allSettled(joinBegin(statements).map(sendOne));
    stream.uncork();
    let last: unknown;
    for (const result of await results) {
      if (result.status === 'rejected') {
        hasTimedOut ||= isReadTimeout(result.reason);
        throw result.reason;
      }
      last = result.value;
    }
    return Array.isArray(last) ? last.at(-1) : last;
  }
  function sendOne({ text, values }: Statement): Promise<unknown> {
    // Statements such as COMMIT have no parameters and nothing to plan.
    if (values.length === 0) return client.query(text);
    return client.query({ name: nameOf(text), text, values: [...values] });
  }
  // After a timeout, pg has destroyed the connection, and the pool does not know it yet.
  return { query, release: (destroy) => client.release(destroy || hasTimedOut) };
}

/** Makes one statement of BEGIN and one without parameters: PostgreSQL answers both at once. */
function joinBegin(statements: readonly Statement[]): readonly Statement[] {
  const [first, second] = statements;
  if (first?.text !== 'begin' || second?.values.length !== 0 || statements.length > 2)
    return statements;
  return [{ text: `begin; ${second.text}`, values: [] }];
}

/** Whether pg stopped waiting for PostgreSQL's answer (setting `query_timeout`). */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
