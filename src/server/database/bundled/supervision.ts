import { setTimeout as sleep } from 'node:timers/promises';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';

/** After PostgreSQL has run this long, the delay before a restart is short again. */
const STABLE_RUN_MS = 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/**
 * Restarts PostgreSQL on the same port whenever it ends unexpectedly.
 * @param postmaster PostgreSQL's main process, already running
 * @param beforeRestart called before each attempt to restart; if it throws, that attempt has failed
 * @returns `stop`, which ends the supervision and PostgreSQL
 */
export function supervise(
  postmaster: Postmaster,
  options: PostmasterOptions,
  beforeRestart: () => Promise<void>,
): { stop(): Promise<void> } {
  const { log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = postmaster;
  /** Waits for each end of PostgreSQL and restarts it, until `stop` is called. */
  const watch = async (): Promise<void> => {
    let delayMs = FIRST_DELAY_MS;
    while (true) {
      const startedAt = Date.now();
      const exitReason = await current.exited;
      if (signal.aborted) return;
      log.error(
        { reason: exitReason, postgres_log: options.logFile.path },
        'PostgreSQL ended unexpectedly (starting it again)',
      );
      if (Date.now() - startedAt > STABLE_RUN_MS) delayMs = FIRST_DELAY_MS;
      let restarted: Postmaster | undefined;
      while (restarted === undefined) {
        // `stop` ends the sleep with an error.
        await sleep(delayMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
        try {
          await beforeRestart();
          restarted = await startPostmaster({ ...options, signal });
        } catch (error) {
          if (!signal.aborted) log.error({ err: error }, 'PostgreSQL did not start (trying again)');
        }
      }
      current = restarted;
      // `stop` was called during the restart, and stopped only the postmaster before this one.
      if (signal.aborted) return current.stop();
      log.info('PostgreSQL runs again');
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}
