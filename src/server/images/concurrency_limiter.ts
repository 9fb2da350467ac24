import { refuse } from '#domain/refusal.ts';

/**
 * Limits how many calls run at the same time; further calls wait in order.
 * @returns a function that runs `work`, or rejects with Refusal `busy` when too many calls wait
 */
export function createConcurrencyLimiter(limits: { maxRunning: number; maxWaiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.maxRunning) {
      if (queue.length >= limits.maxWaiting) throw refuse('busy');
      // A finished call starts the next one, so `running` does not change.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
