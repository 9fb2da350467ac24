import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A connection outside of any pool that notices when it is lost. */
export interface DedicatedConnection extends AsyncDisposable {
  readonly client: pg.Client;
  /** Never resolved; rejected once the connection is lost. */
  readonly lost: Promise<never>;
  /** Treats the connection as lost. */
  fail(reason: Error): void;
}

export interface KeepConnectedOptions {
  readonly url: string;
  /** The `application_name` that PostgreSQL shows. */
  readonly applicationName: string;
  /** Milliseconds that connecting, each query and closing may take. */
  readonly timeoutMs: number;
  readonly reconnectMs: number;
  /**
   * Uses a new connection until it is lost or `signal` is aborted; the connection is closed when
   * the returned promise settles.
   * @param ready must be called once the connection serves its purpose
   */
  readonly use: (
    connection: DedicatedConnection,
    ready: () => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Called after each end of a connection, and after each failed attempt. */
  readonly onLost?: () => void;
  readonly log: (line: string) => void;
  /** Log lines, such as `Page cache disabled: LISTEN connection lost`. */
  readonly messages: { readonly lost: string; readonly restored: string };
}

/** A connection that is opened again whenever it is lost. */
export interface KeptConnection {
  /** Resolved once the first attempt succeeded or failed. */
  readonly attempted: Promise<void>;
  stop(): Promise<void>;
}

/** Keeps one dedicated connection open, and opens a new one whenever it is lost. Logs each change once. */
export function keepConnected({
  url,
  applicationName,
  timeoutMs,
  reconnectMs,
  use,
  onLost,
  log,
  messages,
}: KeepConnectedOptions): KeptConnection {
  const stopping = new AbortController();
  const { signal } = stopping;
  const attempted = Promise.withResolvers<void>();
  const ended = run();

  async function run(): Promise<void> {
    let isReported = false;
    const ready = () => {
      if (isReported) log(messages.restored);
      isReported = false;
      attempted.resolve();
    };
    while (!signal.aborted) {
      try {
        await using connection = openDedicatedConnection(url, applicationName, timeoutMs);
        await connection.client.connect();
        await use(connection, ready, signal);
      } catch (error) {
        if (!signal.aborted && !isReported)
          log(`${messages.lost} (reconnecting every ${reconnectMs} ms): ${error}`);
        isReported = true;
      } finally {
        onLost?.();
        attempted.resolve();
      }
      await pause(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    attempted: attempted.promise,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * A connection that is not open yet: call `client.connect()`. It is closed at the end of its scope.
 * @param applicationName the `application_name` that PostgreSQL shows
 * @param timeoutMs how long connecting, each query and closing may take
 */
export function openDedicatedConnection(
  url: string,
  applicationName: string,
  timeoutMs: number,
): DedicatedConnection {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: applicationName,
  });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('error', lost.reject);
  client.on('end', () => lost.reject(new Error('The connection ended')));
  return {
    client,
    lost: lost.promise,
    fail: lost.reject,
    async [Symbol.asyncDispose]() {
      await Promise.race([
        client.end().catch(() => {}),
        pause(timeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}
