import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A connection outside of any pool, still to be made, whose loss is noticed; it ends with its scope. */
export interface WatchedConnection extends AsyncDisposable {
  readonly client: pg.Client;
  /** Never resolved; rejected once the connection is lost, or given up. */
  readonly lost: Promise<never>;
  /** Gives it up. */
  lose(why: Error): void;
}

/**
 * @param name under which PostgreSQL lists it
 * @param silentMs how long connecting and each query may take, and its end
 */
export function watchConnection(url: string, name: string, silentMs: number): WatchedConnection {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: silentMs,
    query_timeout: silentMs,
    keepAlive: true,
    application_name: name,
  });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('error', lost.reject);
  client.on('end', () => lost.reject(new Error('The connection ended')));
  return {
    client,
    lost: lost.promise,
    lose: lost.reject,
    async [Symbol.asyncDispose]() {
      await Promise.race([
        client.end().catch(() => {}),
        pause(silentMs, undefined, { ref: false }),
      ]);
    },
  };
}
