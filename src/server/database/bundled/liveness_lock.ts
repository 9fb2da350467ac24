/**
 * Each of our servers holds an advisory lock in its bundled PostgreSQL, which releases the lock
 * when the server's connection ends. By this lock, a later server sees whether a running PostgreSQL
 * is in use, or was left by a killed server.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createDedicatedConnection, type DedicatedConnection } from '../dedicated_connection.ts';

/** How to reach the database `postgres` on this machine. */
export interface LocalConnection {
  readonly port: number;
  readonly password: string;
}

/**
 * An arbitrary number, which must be the same in all versions of our server. It cannot collide with
 * our other advisory locks, because those are in another database.
 */
const LIVENESS_LOCK_KEY = 5_463_967_533;
const RETRY_INTERVAL_MS = 250;
const LOCK_TIMEOUT_MS = 5000;

/**
 * Creates a connection to `postgres`, the database that every PostgreSQL server has, without
 * opening it.
 */
export function createMaintenanceConnection(
  { port, password }: LocalConnection,
  timeoutMs: number,
) {
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  return createDedicatedConnection(url, 'linework server', timeoutMs);
}

/**
 * Whether a live server of ours uses the database. Takes the lock for a moment to find out.
 * @throws when the database does not answer
 */
export async function isLivenessLockHeld(connection: LocalConnection): Promise<boolean> {
  const attempt = await connectAndLock(connection);
  if (attempt === 'held by another') return true;
  await attempt[Symbol.asyncDispose]();
  return false;
}

/**
 * Takes the lock, and takes it again whenever the connection is lost.
 * @returns a function that releases the lock; undefined when another server has the lock
 */
export async function acquireLivenessLock(
  connection: LocalConnection,
  log: Logger,
): Promise<(() => Promise<void>) | undefined> {
  const firstAttempt = await connectAndLock(connection);
  if (firstAttempt === 'held by another') return undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  let session = firstAttempt;

  const useSession = (lockedSession: DedicatedConnection): void => {
    session = lockedSession;
    // Not `session.lost`: PostgreSQL reports an error before it releases the lock.
    session.client.once('end', () => void relock());
  };
  // When PostgreSQL crashes or restarts, the connection ends and the lock is lost.
  const relock = async (): Promise<void> => {
    let hasWarned = false;
    while (!signal.aborted) {
      const attempt = await connectAndLock(connection).catch(() => 'no answer' as const);
      if (typeof attempt === 'object') {
        if (signal.aborted) return attempt[Symbol.asyncDispose]();
        return useSession(attempt);
      }
      if (attempt === 'held by another' && !hasWarned) {
        log.error('Another Linework server has taken over this database. Stop one of them.');
        hasWarned = true;
      }
      // An abort makes the sleep fail, and the loop then ends.
      await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  };
  useSession(firstAttempt);
  return async () => {
    // Abort first, because the end of the session calls `relock`, which must not reconnect.
    stopping.abort();
    await session[Symbol.asyncDispose]();
  };
}

/** @returns the session that holds the lock until it ends */
async function connectAndLock(
  connection: LocalConnection,
): Promise<DedicatedConnection | 'held by another'> {
  await using resources = new AsyncDisposableStack();
  const session = resources.use(createMaintenanceConnection(connection, LOCK_TIMEOUT_MS));
  await session.client.connect();
  const { rows } = await session.client.query<{ acquired: boolean }>(
    'select pg_try_advisory_lock($1) as acquired',
    [LIVENESS_LOCK_KEY],
  );
  if (!rows[0]?.acquired) return 'held by another';
  // The session stays open after this function.
  resources.move();
  return session;
}
