import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorSeconds } from './children.ts';

/** What clients do for some seconds, each on a connection of its own, without a pause. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked one after the other; the URL itself unless given. */
  readonly paths?: readonly string[];
}

export interface Answered {
  readonly answers: number;
  /** Answers other than 2xx, and connections that broke. */
  readonly failures: number;
  readonly perSecond: number;
}

/** Clients in a process of their own, so that they take nothing from the server's. */
export interface Clients extends AsyncDisposable {
  /** @throws Error when anything but 2xx is answered */
  load(load: Load): Promise<Answered>;
  readonly pid: number;
}

export function openClients(): Clients {
  const child = fork(join(import.meta.dirname, 'clients.ts'));
  return {
    pid: child.pid ?? 0,
    load: async (load) => {
      child.send(load);
      const answered = await new Promise<Answered>((resolve) => {
        child.once('message', resolve);
      });
      if (answered.failures > 0)
        throw new Error(`${load.url}: ${answered.failures} of ${answered.answers} answers failed`);
      return answered;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** How busy processes were while something was measured, as shares of one core each. */
export async function whileBusy<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly shares: readonly number[] }> {
  const before = await Promise.all(pids.map(processorSeconds));
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  const after = await Promise.all(pids.map(processorSeconds));
  return { result, shares: after.map((used, index) => (used - (before[index] ?? 0)) / seconds) };
}
