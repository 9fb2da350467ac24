/** Stops our process after a signal, an uncaught error, or the end of the npm that started it. */
import { execFileSync } from 'node:child_process';
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests in flight may take before their connections are closed. */
const DRAIN_TIMEOUT_MS = 10_000;
/** Shorter after an uncaught error, because the state of the program is unknown. */
const DRAIN_TIMEOUT_AFTER_ERROR_MS = 5000;
/** How long after an uncaught error our process exits, even if the shutdown hangs. */
const EXIT_TIMEOUT_AFTER_ERROR_MS = 30_000;
const POLL_INTERVAL_MS = 500;

/** The signals that begin the shutdown. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * The process ids of the npm that started our process, and of npm's shell; empty without npm, and in
 * a worker. Read while this module is imported: after npm has ended, its process id cannot be found.
 */
const LAUNCHER_PIDS =
  process.env['npm_lifecycle_event'] === undefined || cluster.isWorker ? [] : readLauncherPids();

/**
 * Tracks the connections and requests of an HTTP server from now on.
 * @returns a function that stops accepting connections, and waits until all connections are closed;
 *   after `limitMs` milliseconds it closes them itself
 */
export function trackConnections(server: Server): (limitMs: number) => Promise<void> {
  /** The latest response of each open connection, sent or not. */
  const responses = new Map<Socket, ServerResponse | undefined>();
  let isDraining = false;
  const closeAfter = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
    // Deferred, because a keep-alive connection becomes idle only after this event.
    response.once('close', () => setImmediate(() => server.closeIdleConnections()));
  };
  server.on('connection', (socket) => {
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  });
  // Runs before the handler, which may send the whole response synchronously.
  server.prependListener('request', ({ socket }, response) => {
    responses.set(socket, response);
    if (isDraining) closeAfter(response);
  });
  return async (limitMs) => {
    isDraining = true;
    for (const response of responses.values()) if (response?.closed === false) closeAfter(response);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), limitMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      // Browsers open connections in advance. `close` would wait for those without any data.
      for (const socket of responses.keys()) if (socket.bytesRead === 0) socket.destroy();
    });
  };
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
  if (LAUNCHER_PIDS.length > 0) {
    const timer = setInterval(() => {
      if (LAUNCHER_PIDS.every(isProcessAlive)) return;
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
 * @param isHarmless called at each unhandled rejection; returns true to ignore that rejection
 */
export function failOnUncaughtErrors(shutdown: Shutdown, isHarmless: () => boolean): void {
  process.on('uncaughtException', fail);
  // Node makes no uncaught exception of a rejection if this event has any listener; Astro adds one.
  process.on('unhandledRejection', (error) => {
    if (!isHarmless()) fail(error);
  });

  function fail(error: unknown): void {
    console.error(
      'Server: uncaught error; the server stops after the requests in flight:',
      error instanceof Error ? error.stack : error,
    );
    // After an earlier error, the timeout below runs already.
    if (shutdown.isFailure) return;
    shutdown.fail('uncaught error');
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_AFTER_ERROR_MS).unref();
  }
}

/** If npm starts us through a shell, npm is the shell's parent. The shell can outlive npm. */
function readLauncherPids(): number[] {
  const parentPid = process.ppid;
  const parent = readProcess(parentPid);
  const isShellOfNpm = parent && /sh$/.test(parent.name) && parent.parentPid > 1;
  return isShellOfNpm ? [parentPid, parent.parentPid] : [parentPid];
}

function isProcessAlive(pid: number): boolean {
  try {
    // Signal 0 is not sent: it only checks that the process exists.
    process.kill(pid, 0);
  } catch (error) {
    // With this code, the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A zombie (`Z`) is a process that has ended and is still listed, until its parent notices.
  return process.platform !== 'linux' || readProcess(pid)?.state !== 'Z';
}

/** Returns undefined if the process cannot be read, as when it has ended. */
function readProcess(pid: number): { name: string; state: string; parentPid: number } | undefined {
  try {
    const [, name = '', state = '', parentPid = ''] =
      process.platform === 'linux'
        ? (/\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [])
        : (/(.*?) +(\S)\S* +(\d+)/.exec(
            execFileSync('ps', ['-o', 'ucomm=,state=,ppid=', '-p', String(pid)], {
              encoding: 'utf8',
            }),
          ) ?? []);
    return { name, state, parentPid: Number(parentPid) };
  } catch {
    return undefined;
  }
}
