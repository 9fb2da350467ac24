import { setTimeout as sleep } from 'node:timers/promises';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';

/** Starts PostgreSQL again, at the same address, whenever it ends without being told to. */
export function supervise(
  first: Postmaster,
  launch: PostmasterOptions,
  settle: () => Promise<void>,
): { stop(): Promise<void> } {
  const { log } = launch;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = first;
  const relaunch = async (): Promise<Postmaster | undefined> => {
    try {
      await settle();
      return await startPostmaster({ ...launch, signal });
    } catch (error) {
      if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const watch = async (): Promise<void> => {
    let pause = 100;
    while (true) {
      const began = Date.now();
      const how = await current.exited;
      if (signal.aborted) return;
      log(
        `PostgreSQL ended unexpectedly (${how}). Starting it again; its log is ${launch.logFile.path}`,
      );
      if (Date.now() - began > 60_000) pause = 100;
      let again: Postmaster | undefined;
      while (again === undefined) {
        await sleep(pause, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        pause = Math.min(pause * 2, 10_000);
        again = await relaunch();
      }
      current = again;
      if (signal.aborted) return current.stop();
      log('PostgreSQL runs again.');
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
