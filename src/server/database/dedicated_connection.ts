/** Connections outside the pool, for work (such as LISTEN) that must notice a lost connection. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export type DedicatedConnection = ReturnType<typeof createDedicatedConnection>;

interface ReconnectOptions {
  readonly url: string;
  /** The `application_name` that PostgreSQL shows. */
  readonly applicationName: string;
  /** The time limit for connecting, for each query and for closing. */
  readonly timeoutMs: number;
  /** The delay after each loss or failed attempt. */
  readonly reconnectMs: number;
  /**
   * Called with each new connection. `use` must return or throw when `connection.lost` rejects, and
   * when `signal` is aborted (by `stop`). `keepConnected` then closes the connection.
   * @param ready `use` must call it once the connection is set up, for example after its LISTEN
   */
  readonly use: (
    connection: DedicatedConnection,
    ready: () => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Called after each failed attempt, and after each connection was closed, also by `stop`. */
  readonly onLost?: () => void;
  readonly log: Logger;
  /** Messages of log lines. `keepConnected` adds the error to the line `lost`. */
  readonly messages: { readonly lost: string; readonly restored: string };
}

/**
 * Opens a connection, and opens a new one after each loss. Logs each loss and each restoration, but
 * not the failed attempts between them.
 * @returns `attempted`, resolved once the first attempt has succeeded or failed, and `stop`, which
 *   waits until the connection is closed
 */
export function keepConnected(options: ReconnectOptions) {
  const { url, applicationName, timeoutMs, reconnectMs, log, messages } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const firstAttempt = Promise.withResolvers<void>();
  const ended = run();

  async function run(): Promise<void> {
    let isLossLogged = false;
    const ready = () => {
      if (isLossLogged) log.info(messages.restored);
      isLossLogged = false;
      firstAttempt.resolve();
    };
    while (!signal.aborted) {
      try {
        await using connection = createDedicatedConnection(url, applicationName, timeoutMs);
        await connection.client.connect();
        await options.use(connection, ready, signal);
      } catch (error) {
        if (!signal.aborted && !isLossLogged)
          log.error({ err: error }, `${messages.lost} (reconnecting every ${reconnectMs} ms)`);
        isLossLogged = true;
      } finally {
        options.onLost?.();
        firstAttempt.resolve();
      }
      // `sleep` rejects when `stop` is called, and the loop ends then.
      await sleep(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    attempted: firstAttempt.promise,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * Creates a connection for `await using`, without opening it: call `client.connect()` for that.
 * @param applicationName the `application_name` that PostgreSQL shows
 * @param timeoutMs the time limit for connecting, for each query and for closing
 */
export function createDedicatedConnection(url: string, applicationName: string, timeoutMs: number) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: applicationName,
  });
  const lost = Promise.withResolvers<never>();
  // Without this handler, a rejection while nothing awaits `lost` would end the process.
  lost.promise.catch(() => {});
  client.on('error', lost.reject);
  client.on('end', () => lost.reject(new Error('The connection ended')));
  return {
    client,
    /** Rejected once the connection is lost or `fail` is called, and never resolved. */
    lost: lost.promise,
    /** Rejects `lost`. Call it when the connection still exists but is of no use. */
    fail: (reason: Error) => lost.reject(reason),
    async [Symbol.asyncDispose](): Promise<void> {
      // Closing a lost connection may fail, or wait for an answer that never comes.
      await Promise.race([
        client.end().catch(() => {}),
        sleep(timeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}
