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
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { closeUnreadConnections, type UnreadLimits } from './http/unread_answers.ts';

/** How long requests in flight may take before their connections are closed. */
const DRAIN_TIMEOUT_MS = 10_000;
/** Shorter after an uncaught error, because the state of the program is unknown. */
const DRAIN_TIMEOUT_AFTER_ERROR_MS = 5000;
/** How long after an uncaught error our process exits, even if the shutdown hangs. */
const EXIT_TIMEOUT_AFTER_ERROR_MS = 30_000;
/** How often we look whether npm is still our parent. */
const PARENT_CHECK_INTERVAL_MS = 500;
/** How often a draining server closes connections that became idle. */
const CLOSE_IDLE_INTERVAL_MS = 50;
/** How long a connection may have no byte when the port closes. The first byte of a proxy comes sooner. */
const SILENT_CONNECTION_MS = 500;
/** A shorter turn of the event loop has accepted the waiting connections, and done little else. */
const QUIET_TURN_MS = 0.5;
/** On a busy server no turn may be quiet: then the port closes after this many. */
const MAX_TURNS = 200;
const READINESS_PATH = /^\/readyz\/?(?:\?|$)/;

/** Each of these begins the shutdown. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Our parent: npm, if npm started us by a script with `exec`. Read while this module is imported:
 * when npm ends, our process gets another parent.
 */
const PARENT_PID = process.ppid;

interface DrainTimes {
  /** How long the server still accepts connections, while it answers `/readyz` with 503. */
  readonly noticeMs: number;
  /** How long the requests in flight may take after that. */
  readonly limitMs: number;
}

/**
 * Creates an HTTP server that can be drained: `drain` gives proxies notice, stops accepting
 * connections, and waits until all connections are closed; after `limitMs` it closes them itself.
 * While the server drains, each response closes its connection (docs/decisions, 0055).
 * @param unread replaced in tests
 */
export function createDrainableServer(
  options: ServerOptions,
  handler: RequestListener,
  unread?: UnreadLimits,
): { readonly server: Server; readonly drain: (times: DrainTimes) => Promise<void> } {
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
  const server = createServer(
    { ...options, ServerResponse: DrainableResponse },
    (request, response) => {
      if (isDraining && READINESS_PATH.test(request.url ?? ''))
        response.writeHead(503, { 'Cache-Control': 'no-store' }).end('Stopping');
      else handler(request, response);
    },
  );
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  closeUnreadConnections(server, connections, unread);
  const drain = async ({ noticeMs, limitMs }: DrainTimes) => {
    isDraining = true;
    // `ref: false`: the open port keeps the process alive, not this timer.
    await sleep(noticeMs, undefined, { ref: false });
    await waitForQuietTurn();
    await closeServer(server, connections, limitMs);
  };
  return { server, drain };
}

/** Closes the port, and resolves when all connections are closed: after `limitMs` at the latest. */
async function closeServer(
  server: Server,
  connections: ReadonlySet<Socket>,
  limitMs: number,
): Promise<void> {
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  // A response whose head was sent before the drain leaves its connection open and idle.
  const poll = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
  // Browsers open connections in advance, and `server.close` would wait for those without any data.
  // Not at once: a proxy opens a connection for a request, which may be on its way.
  const silence = setTimeout(() => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, SILENT_CONNECTION_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(limit);
  clearTimeout(silence);
  clearInterval(poll);
}

/**
 * The system resets connections that nobody has accepted when the port closes. So this waits until
 * the event loop has just accepted the waiting connections.
 */
async function waitForQuietTurn(): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const startedAt = performance.now();
    await nextTurn();
    if (performance.now() - startedAt < QUIET_TURN_MS) return;
  }
}

/** The end of our process: whether it has begun, why, and what it must close. */
export class Shutdown {
  readonly #controller = new AbortController();

  /** Aborted when the shutdown begins; `signal.reason` is a text for the log. */
  readonly signal = this.#controller.signal;

  /** Receives all that must be closed at the end. */
  readonly resources = new AsyncDisposableStack();

  /** Whether an uncaught error caused the shutdown, or happened during it. Set by `fail`. */
  isFailure = false;

  /**
   * @param stopDelaySeconds how long proxies may take to notice that our server stops. Service managers
   *   send SIGTERM; a person at a terminal, who sends SIGINT, does not wait.
   */
  drainTimes(stopDelaySeconds: number): DrainTimes {
    const isAnnounced = this.signal.reason === 'SIGTERM' && !this.isFailure;
    return {
      noticeMs: isAnnounced ? stopDelaySeconds * 1000 : 0,
      limitMs: this.isFailure ? DRAIN_TIMEOUT_AFTER_ERROR_MS : DRAIN_TIMEOUT_MS,
    };
  }

  /** Later calls change nothing: only the first reason counts. */
  begin(reason: string): void {
    this.#controller.abort(reason);
  }

  /** Marks the shutdown as a failure, and begins it unless it has begun. */
  fail(reason: string): void {
    this.isFailure = true;
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
    }, PARENT_CHECK_INTERVAL_MS);
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
