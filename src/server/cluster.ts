/**
 * Runs our server as several processes on one port, with `node:cluster`. The primary process owns
 * the parts that exist once: the bundled PostgreSQL, and the port. It hands each connection to a worker, and
 * replaces workers that end. Workers share data only as servers on several machines do.
 */

import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startBundledPostgres } from './database/bundled/bundled_postgres.ts';
import { type Config, rethrowAsConfigError } from './settings/config.ts';
import { type Shutdown, STOP_SIGNALS } from './shutdown.ts';
import { prepareUploadFolder } from './upload_folder.ts';

/** The default would be the primary's script; that of `npm start` builds the site first. */
const WORKER_SCRIPT = join(import.meta.dirname, 'main.ts');
/** The environment variable with which a worker gets the URL of the bundled database. It is not a setting. */
const URL_VARIABLE = 'BUNDLED_DATABASE_URL';

/** Database connections for the primary, and for commands such as `npm run backup`. */
const OTHER_CONNECTIONS = 75;

/** After a worker has run this long, its replacement starts without a delay. */
const STABLE_RUN_MS = 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/** Returns the URL of the bundled database that the primary runs; undefined outside a worker. */
export function readBundledDatabaseUrl(): string | undefined {
  return cluster.isWorker ? process.env[URL_VARIABLE] : undefined;
}

/**
 * Starts the workers. The first starts alone: it migrates the database and fills it, and if a
 * setting is wrong, only one process says so. Until all workers listen, one that ends begins the
 * shutdown; later ones are replaced.
 * @returns the port, when all workers listen on it
 * @throws the shutdown's reason, if the shutdown begins before
 */
export async function startWorkers(
  config: Config,
  shutdown: Shutdown,
  log: Logger,
): Promise<number> {
  const { signal, resources } = shutdown;
  const environment =
    config.database.kind === 'bundled'
      ? { [URL_VARIABLE]: await openDataDirectory(config, shutdown, log) }
      : {};
  signal.throwIfAborted();
  // With `none`, which the environment may say, a worker is handed the port itself, and not connections.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: WORKER_SCRIPT });
  signal.addEventListener('abort', () => {
    // Workers wait for proxies only after SIGTERM, as our process does.
    const stopSignal = signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(stopSignal);
  });
  const runs: Promise<void>[] = [];
  resources.defer(async () => {
    // Changes nothing, except after a failed start: then no shutdown has begun yet.
    shutdown.begin('the start failed');
    await Promise.all(runs);
  });

  let isReady = false;
  const port = await startWorker();
  await Promise.all(Array.from({ length: config.workers - 1 }, startWorker));
  isReady = true;
  return port;

  /** Resolves with the port when the worker listens. */
  function startWorker(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const run = runWorker(resolve);
    runs.push(run);
    // A run ends with the shutdown. If the worker does not listen yet, it never will.
    run.then(() => reject(signal.reason), reject);
    return promise;
  }

  /** Runs one worker after the other, until the shutdown. */
  async function runWorker(onListening: (port: number) => void): Promise<void> {
    let delayMs = 0;
    while (!signal.aborted) {
      const startedAt = Date.now();
      const worker = cluster.fork(environment);
      closeUntakenConnection(worker);
      worker.once('listening', (address) => onListening(address.port));
      const { ending, isFailure } = await waitUntilEnded(worker);
      if (signal.aborted) {
        if (!isFailure) return;
        log.error({ component: 'Workers' }, `${ending} before its requests were finished`);
        shutdown.fail('a worker failed');
      } else if (!isReady) {
        shutdown.fail(`a worker did not start: ${ending}`);
      } else {
        if (Date.now() - startedAt > STABLE_RUN_MS) delayMs = 0;
        log.error(
          { component: 'Workers' },
          `${ending}; another one starts ${delayMs > 0 ? `in ${delayMs / 1000} s` : 'now'}`,
        );
        // A shutdown makes the sleep fail, and the loop then ends.
        await sleep(delayMs, undefined, { signal }).catch(() => {});
        delayMs = Math.min(Math.max(delayMs * 2, FIRST_DELAY_MS), MAX_DELAY_MS);
      }
    }
  }
}

/**
 * Starts the bundled PostgreSQL, and deletes uploads that killed processes left behind. A worker
 * does not, because when it replaces another one, the others may be receiving uploads.
 * @returns the URL of the database
 */
async function openDataDirectory(
  { dataDir, workers, databaseConnections }: Config,
  { signal, resources }: Shutdown,
  log: Logger,
): Promise<string> {
  const maxConnections = databaseConnections * workers + OTHER_CONNECTIONS;
  const postgres = await rethrowAsConfigError(
    startBundledPostgres({ dataDir, log, signal, maxConnections }),
  );
  resources.defer(() => postgres.stop());
  await prepareUploadFolder(dataDir, { ownsDataDirectory: true, now: Date.now() });
  return postgres.url;
}

/**
 * When a worker is killed, closes the connection that it was handed and has not taken over. `node:cluster`
 * hands a worker one connection at a time, and keeps it open in our process until the worker answers. Without
 * an answer, the client of the connection would wait for ever, and `node:cluster` would never forget the worker.
 */
function closeUntakenConnection(worker: ClusterWorker): void {
  const { process: child } = worker;
  let handed: unknown;
  child.send = new Proxy(child.send, {
    apply(send, self, args) {
      // The second argument of `send` is the connection, if there is one.
      if (args[1]) handed = args[1];
      return Reflect.apply(send, self, args);
    },
  });
  // Runs before the listener of `node:cluster`, which hands over the next connection.
  child.prependListener('internalMessage', (message: object) => {
    if ('accepted' in message) handed = undefined;
  });
  // `exit` may come before the worker's last message, and `disconnect` may not come at all.
  child.once('close', () => {
    // A connection as `node:cluster` hands it over: not a `net.Socket` yet.
    if (handed instanceof Object && 'close' in handed && typeof handed.close === 'function')
      handed.close();
    cluster.workers?.[worker.id]?.disconnect();
  });
}

/** Resolves with a text for the log, such as `process 123 ended (SIGKILL)`. */
function waitUntilEnded(worker: ClusterWorker): Promise<{ ending: string; isFailure: boolean }> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal: NodeJS.Signals | null) =>
      resolve({
        ending: `process ${worker.process.pid} ended (${signal ?? `exit code ${code}`})`,
        // A worker that has just been created does not handle signals yet: they end it.
        isFailure: signal === null ? code !== 0 : !STOP_SIGNALS.includes(signal),
      }),
    );
    worker.on('error', (error) => {
      // Without a process id no process was created, so no `exit` follows.
      if (worker.process.pid === undefined)
        resolve({ ending: `a process could not be created (${error.message})`, isFailure: true });
    });
  });
}
