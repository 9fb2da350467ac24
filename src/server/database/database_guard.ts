import type pg from 'pg';

/** Work with the database was refused, because it would have waited too long. */
export class DatabaseNotAnswering extends Error {
  override readonly name = 'DatabaseNotAnswering';
}

/** Hands out the connections of a pool. */
export interface DatabaseGuard {
  /** @throws DatabaseNotAnswering when the work would wait too long */
  readonly connect: () => Promise<pg.PoolClient>;
  /**
   * Call it when the database begins to hang: work that waits for a connection, running queries and
   * later work fail at once. It is unknown whether a running query still takes effect.
   */
  readonly refuseWork: () => void;
  /** Call it when the database answers again. */
  readonly acceptWork: () => void;
}

/** While the first in the queue for a connection has waited longer, further work is refused. */
const MAX_WAIT_MS = 5000;

const HANGS = 'The database does not answer';
const ALL_BUSY = `All connections to the database have been busy for ${MAX_WAIT_MS / 1000} s`;

/**
 * Limits how long work waits: for a database that hangs, which would last until `query_timeout`, and at
 * the end of a queue that hardly moves (decision 0051).
 * @param clock returns milliseconds, as `performance.now` does
 */
export function guardPool(pool: pg.Pool, clock = () => performance.now()): DatabaseGuard {
  let isHanging = false;
  /** In the order of their calls, which is that of the pool's queue. */
  const waiting = new Set<{ readonly since: number; readonly refuse: (error: Error) => void }>();
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));

  return {
    async connect() {
      if (isHanging) throw new DatabaseNotAnswering(HANGS);
      const [first] = waiting;
      if (first && clock() - first.since > MAX_WAIT_MS) throw new DatabaseNotAnswering(ALL_BUSY);
      const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
      const call = { since: clock(), refuse };
      waiting.add(call);
      const connecting = pool.connect();
      try {
        return await Promise.race([connecting, refused]);
      } catch (error) {
        // The pool still hands over a connection for a call that was refused meanwhile.
        connecting.then(
          (client) => client.release(),
          () => {},
        );
        throw error;
      } finally {
        waiting.delete(call);
      }
    },
    refuseWork() {
      isHanging = true;
      for (const { refuse } of waiting) refuse(new DatabaseNotAnswering(HANGS));
      for (const client of inUse) {
        // The pool will not use it again.
        client.end().catch(() => {});
        // `end` waits for running queries; this makes them fail at once.
        client.connection.stream.destroy();
      }
    },
    acceptWork() {
      isHanging = false;
    },
  };
}
