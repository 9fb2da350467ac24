import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/** So many sentences are kept prepared; each takes memory on every connection. */
const MAX_PREPARED = 200;

/**
 * The pool, with what has parameters prepared under a name: each connection then has PostgreSQL read
 * and plan a sentence the first few times only, which is most of what a short one costs.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_PREPARED) return known;
    // The same in every process: a pooler may hand one's connection to another.
    const name = `sentence_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
    return name;
  };
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const preparingOne = clients.get(client) ?? createPreparingClient(client, nameOf);
      clients.set(client, preparingOne);
      return preparingOne;
    },
  };
}

function createPreparingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): PostgresPoolClient {
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Nothing of ours reads by cursor');
    // Such as BEGIN: nothing to plan.
    if (values.length === 0) return watching(client.query(text));
    return watching(client.query({ name: nameOf(text), text, values: [...values] }));
  }
  let timedOut = false;
  async function watching<R>(answer: Promise<R>): Promise<R> {
    try {
      return await answer;
    } catch (error) {
      timedOut ||= isReadTimeout(error);
      throw error;
    }
  }
  // It still waits for that answer, and the next query would wait behind it.
  return { query, release: (destroy) => client.release(destroy || timedOut) };
}

/** Whether pg gave up waiting for an answer (`query_timeout`). */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
