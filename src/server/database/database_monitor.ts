import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createDedicatedConnection, type DedicatedConnection } from './dedicated_connection.ts';

interface MonitorOptions {
  readonly url: string;
  /** Called when the database begins to hang. */
  readonly onHang: () => void;
  /** Called when it answers again, or refuses connections: then each query fails by itself. */
  readonly onEnd: () => void;
  /** Whether anything waits for the database now. Without it, a hang harms nobody, and no question is asked. */
  readonly isNeeded: () => boolean;
  readonly log: Logger;
  /** In milliseconds: between two questions, and how long to wait for an answer. */
  readonly intervalMs?: number;
  readonly timeoutMs?: number;
}

type Answer = 'answers' | 'refuses' | 'is silent';

const INTERVAL_MS = 500;
const TIMEOUT_MS = 2000;
/** A single slow answer is not a hang: a new connection is tried too. */
const SILENT_TRIES = 2;

/**
 * Asks the database a question again and again while it is needed, on a connection of its own, to notice that it
 * hangs: its machine or process is frozen, its disk does not answer, or the network loses packets. A hang is
 * known after at most `SILENT_TRIES * (intervalMs + timeoutMs)`: five seconds.
 * @returns the function that stops it
 */
export function monitorDatabase(options: MonitorOptions): { stop(): Promise<void> } {
  const {
    url,
    onHang,
    onEnd,
    isNeeded,
    intervalMs = INTERVAL_MS,
    timeoutMs = TIMEOUT_MS,
  } = options;
  const log = options.log.child({ component: 'Database' });
  const stopping = new AbortController();
  const { signal } = stopping;
  let connection: DedicatedConnection | undefined;
  let silentTries = 0;
  const ended = run();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (silentTries > 0 || isNeeded()) judge(await ask());
      // `sleep` rejects when `stop` is called, and the loop ends then.
      await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
    await close();
  }

  function judge(answer: Answer): void {
    const wasHanging = silentTries >= SILENT_TRIES;
    silentTries = answer === 'is silent' ? silentTries + 1 : 0;
    const isHanging = silentTries >= SILENT_TRIES;
    if (isHanging && !wasHanging && !signal.aborted) {
      log.error('The database hangs (work that needs it is refused until it answers)');
      onHang();
    }
    if (wasHanging && !isHanging) {
      log.info(
        answer === 'answers' ? 'The database answers again' : 'The database refuses connections',
      );
      onEnd();
    }
  }

  async function ask(): Promise<Answer> {
    const query = askOnce().then(
      (): Answer => 'answers',
      (): Answer => 'refuses',
    );
    const answer = await Promise.race([query, waitForSilence()]);
    if (answer !== 'answers') void close();
    return answer;
  }

  async function waitForSilence(): Promise<Answer> {
    try {
      await sleep(timeoutMs, undefined, { signal, ref: false });
      // If our own process was busy for so long, the answer is there, but not read yet.
      await nextTurn();
    } catch {
      // `stop` was called.
    }
    return 'is silent';
  }

  async function askOnce(): Promise<void> {
    if (!connection) {
      // Twice the time, so that only `waitForSilence` decides.
      connection = createDedicatedConnection(url, 'linework monitor', 2 * timeoutMs);
      await connection.client.connect();
    }
    await connection.client.query('SELECT 1');
  }

  async function close(): Promise<void> {
    const closed = connection;
    connection = undefined;
    await closed?.[Symbol.asyncDispose]();
  }

  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
