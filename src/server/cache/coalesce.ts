export interface Batches {
  /** Adds items to the next batch; settles as the run of that batch does. */
  add(items: readonly string[]): Promise<void>;
  /** Whether no batch is running or waiting. */
  isIdle(): boolean;
  /** Waits for the batches that are running or waiting now; never rejected. */
  whenIdle(): Promise<void>;
}

/** Calls `run` with one batch at a time; items that arrive meanwhile form the next, each once. */
export function coalesce(run: (items: readonly string[]) => Promise<void>): Batches {
  let waitingItems = new Set<string>();
  /** The batch that still takes items. */
  let nextBatch: Promise<void> | undefined;
  let lastBatch: Promise<void> = Promise.resolve();
  let unfinishedBatches = 0;

  async function runNext(previous: Promise<void>): Promise<void> {
    unfinishedBatches += 1;
    // The callers of `add` receive the error.
    await previous.catch(() => {});
    const items = [...waitingItems];
    waitingItems = new Set();
    nextBatch = undefined;
    await run(items).finally(() => {
      unfinishedBatches -= 1;
    });
  }

  return {
    add(items) {
      for (const item of items) waitingItems.add(item);
      nextBatch ??= runNext(lastBatch);
      lastBatch = nextBatch;
      return nextBatch;
    },
    isIdle: () => unfinishedBatches === 0,
    whenIdle: () => lastBatch.catch(() => {}),
  };
}
