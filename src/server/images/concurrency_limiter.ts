import { refuse } from '#domain/refusal.ts';

/** Runs work when it is its turn. */
export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A queue that runs so many at once and lets so many wait, first come, first served.
 * The returned function throws Refusal `busy` when too many are waiting already.
 */
export function createConcurrencyLimiter({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): ConcurrencyLimiter {
  const turns: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (turns.length >= waiting) throw refuse('busy');
      // Whoever ends hands their place on, so `running` stays as it is.
      await new Promise<void>((resolve) => turns.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = turns.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
