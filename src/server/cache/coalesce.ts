/** Runs one batch at a time; see `coalesce`. */
export interface Coalesced {
  /** Adds items to the next batch; settled when that batch is. */
  add(items: readonly string[]): Promise<void>;
  /** Whether no batch is running or waiting. */
  isIdle(): boolean;
  /** Resolved once `isIdle`; never rejected. */
  idle(): Promise<void>;
}

/** Batches work: items that arrive during a run go into the next run, each item once. */
export function coalesce(run: (items: readonly string[]) => Promise<void>): Coalesced {
  let waiting = new Set<string>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let batches = 0;

  async function runNext(previous: Promise<void>): Promise<void> {
    batches += 1;
    await previous.catch(() => {});
    const items = [...waiting];
    waiting = new Set();
    next = undefined;
    await run(items).finally(() => {
      batches -= 1;
    });
  }

  return {
    add(items) {
      for (const item of items) waiting.add(item);
      next ??= runNext(last);
      last = next;
      return next;
    },
    isIdle: () => batches === 0,
    idle: () => last.catch(() => {}),
  };
}
