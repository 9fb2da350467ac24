import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests in flight may take before they are cut off. */
const DRAIN_TIMEOUT_MS = 10_000;
/** The same after an uncaught error, when nothing is certain any more. */
const DRAIN_TIMEOUT_AFTER_ERROR_MS = 5000;
/** After an uncaught error the process ends by then, whatever hangs. */
const EXIT_TIMEOUT_AFTER_ERROR_MS = 30_000;
const POLL_INTERVAL_MS = 500;

/** Asked at once: an npm that ends while the site is built would not be known for one later. */
const LAUNCHER_PIDS = process.env['npm_lifecycle_event'] === undefined ? [] : readLauncherPids();

/**
 * Follows a server's connections from the start, so that its end is polite.
 * @returns a function that takes no new connections and waits for the requests in flight, which are
 *   cut off after `limitMs` milliseconds
 */
export function trackConnections(server: Server): (limitMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive &&= !draining;
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      // One that had promised to keep its connection is idle a moment later.
      if (draining) setImmediate(() => server.closeIdleConnections());
    });
  });
  return async (limitMs) => {
    draining = true;
    for (const response of inFlight) response.shouldKeepAlive = false;
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => server.closeAllConnections(), limitMs);
      server.close(() => {
        clearTimeout(cutOff);
        resolve();
      });
      // Browsers connect in advance; to Node, who has not spoken yet is not idle but about to.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
  };
}

/** Why the process ends, and whether that is a failure. */
export class Shutdown {
  readonly #controller = new AbortController();
  #isFailure = false;

  /** Aborted once the process is to end, with the reason as text. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it ends because of an uncaught error. */
  get isFailure(): boolean {
    return this.#isFailure;
  }

  /** How long requests in flight may take, in milliseconds. */
  get drainTimeoutMs(): number {
    return this.#isFailure ? DRAIN_TIMEOUT_AFTER_ERROR_MS : DRAIN_TIMEOUT_MS;
  }

  /** Ends the process in order; the first reason counts. */
  begin(reason: string): void {
    this.#controller.abort(reason);
  }

  /** Ends the process in order, with an exit code that says failure. */
  fail(reason: string): void {
    this.#isFailure = true;
    this.begin(reason);
  }
}

/** An ending at the first signal, or when the npm that started us is gone. Later signals do nothing. */
export function listenForShutdown(): Shutdown {
  const end = new Shutdown();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => end.begin(signal));
  // Whoever read our words may be gone too, and that must not keep us from stopping in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (LAUNCHER_PIDS.length > 0) {
    const watch = setInterval(() => {
      if (LAUNCHER_PIDS.every(isProcessAlive)) return;
      clearInterval(watch);
      end.begin('npm is gone');
    }, POLL_INTERVAL_MS);
    watch.unref();
  }
  return end;
}

/**
 * Ends the process in order after an error that nothing caught, unhandled rejections included: the
 * state of the program is unknown then, and a supervisor starts it again.
 * @param isHarmless whether an unhandled rejection of this moment is one to go on after
 */
export function failOnUncaughtErrors(end: Shutdown, isHarmless: () => boolean): void {
  process.on('uncaughtException', fail);
  // Astro listens too, so Node would no longer turn these into uncaught exceptions.
  process.on('unhandledRejection', (error) => {
    if (!isHarmless()) fail(error);
  });

  function fail(error: unknown): void {
    console.error(
      'Server: uncaught error; the server stops after the requests in flight:',
      error instanceof Error ? error.stack : error,
    );
    if (end.isFailure) return;
    end.fail('uncaught error');
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_AFTER_ERROR_MS).unref();
  }
}

/** npm starts us through a shell that may stay in between and outlive it. */
function readLauncherPids(): number[] {
  const parent = process.ppid;
  const shell = readProcess(parent);
  return shell && /sh$/.test(shell.name) && shell.parent > 1 ? [parent, shell.parent] : [parent];
}

function isProcessAlive(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // One that ended and that nobody has waited for yet still answers to its number.
  return process.platform !== 'linux' || readProcess(id)?.state !== 'Z';
}

function readProcess(id: number): { name: string; state: string; parent: number } | undefined {
  try {
    const [, name = '', state = '', parent = ''] =
      process.platform === 'linux'
        ? (/\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [])
        : (/(.*?) +(\S)\S* +(\d+)/.exec(
            execFileSync('ps', ['-o', 'ucomm=,state=,ppid=', '-p', String(id)], {
              encoding: 'utf8',
            }),
          ) ?? []);
    return { name, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
