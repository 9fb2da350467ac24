/** Stops our process after a signal, an uncaught error, or the end of the npm that started it. */

import cluster from 'node:cluster';
import {
  createServer,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** How long requests in flight may take before their connections are closed. */
const DRAIN_TIMEOUT_MS = 10_000;
/** Shorter after an uncaught error, because the state of the program is unknown. */
const DRAIN_TIMEOUT_AFTER_ERROR_MS = 5000;
/** How long after an uncaught error our process exits, even if the shutdown hangs. */
const EXIT_TIMEOUT_AFTER_ERROR_MS = 30_000;
const POLL_INTERVAL_MS = 500;
/** How often a draining server closes connections that became idle. */
const CLOSE_IDLE_INTERVAL_MS = 50;

/** The signals that begin the shutdown. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Our parent: npm, if npm started us by a script with `exec`. Read while this module is imported:
 * when npm ends, our process gets another parent.
 */
const PARENT_PID = process.ppid;

/**
 * Creates an HTTP server that can be drained: `drain` stops accepting connections, and waits until
 * all connections are closed; after `limitMs` milliseconds it closes them itself. While the server
 * drains, each response closes its connection.
 */
export function createDrainableServer(
  options: ServerOptions,
  handler: RequestListener,
): { readonly server: Server; readonly drain: (limitMs: number) => Promise<void> } {
  let isDraining = false;
  class DrainableResponse extends ServerResponse {
    override writeHead(
      status: number,
      ...head: (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[]
    ): this {
      if (isDraining) this.shouldKeepAlive = false;
      Reflect.apply(super.writeHead, this, [status, ...head]);
      return this;
    }
  }
  const server = createServer({ ...options, ServerResponse: DrainableResponse }, handler);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const drain = async (limitMs: number) => {
    isDraining = true;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(() => server.closeAllConnections(), limitMs);
      // For responses in flight whose head, sent before, keeps the connection open.
      const poll = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
      server.close(() => {
        clearTimeout(limit);
        clearInterval(poll);
        resolve();
      });
      // Browsers open connections in advance. `close` would wait for those without any data.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    });
  };
  return { server, drain };
}

export class Shutdown {
  readonly #controller = new AbortController();
  #isFailure = false;

  /** Aborted when the shutdown begins; `signal.reason` is a text for the log. */
  readonly signal = this.#controller.signal;

  /** Whether an uncaught error caused the shutdown, or happened during it. */
  get isFailure(): boolean {
    return this.#isFailure;
  }

  get drainTimeoutMs(): number {
    return this.#isFailure ? DRAIN_TIMEOUT_AFTER_ERROR_MS : DRAIN_TIMEOUT_MS;
  }

  /** Later calls change nothing: only the first reason counts. */
  begin(reason: string): void {
    this.#controller.abort(reason);
  }

  /** Marks the shutdown as a failure, and begins it unless it has begun. */
  fail(reason: string): void {
    this.#isFailure = true;
    this.begin(reason);
  }
}

/**
 * Begins the shutdown at the first signal, or when the process ends that started ours: npm, or the
 * primary process of a worker.
 */
export function listenForShutdown(): Shutdown {
  const shutdown = new Shutdown();
  for (const signal of STOP_SIGNALS) process.on(signal, () => shutdown.begin(signal));
  const { worker } = cluster;
  worker?.on('disconnect', () => {
    // Otherwise Node ends this process at once, with its requests in flight.
    worker.exitedAfterDisconnect = true;
    shutdown.begin('the primary process is gone');
  });
  // The reader of our output may have ended too: a failed write must not crash the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.env['npm_lifecycle_event'] !== undefined && !worker) {
    const timer = setInterval(() => {
      if (process.ppid === PARENT_PID) return;
      clearInterval(timer);
      shutdown.begin('npm is gone');
    }, POLL_INTERVAL_MS);
    // The timer alone must not keep our process alive.
    timer.unref();
  }
  return shutdown;
}

/**
 * Begins the shutdown after an uncaught error or unhandled rejection, because the state of the
 * program is unknown then. A service manager such as systemd starts our server again.
 * @param log receives the error
 * @param isHarmless called with each unhandled rejection; returns true to ignore that rejection
 */
export function failOnUncaughtErrors(
  shutdown: Shutdown,
  log: Logger,
  isHarmless: (error: unknown) => boolean,
): void {
  process.on('uncaughtException', fail);
  // Node makes no uncaught exception of a rejection if this event has any listener; Astro adds one.
  process.on('unhandledRejection', (error) => {
    if (!isHarmless(error)) fail(error);
  });

  function fail(error: unknown): void {
    log.error(
      { err: error, component: 'Server' },
      'Uncaught error (the server stops after the requests in flight)',
    );
    // After an earlier error, the timeout below runs already.
    if (shutdown.isFailure) return;
    shutdown.fail('uncaught error');
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_AFTER_ERROR_MS).unref();
  }
}
