/** Calls `run` with one batch at a time; items added meanwhile form the next batch, each once. */
export function coalesce(run: (items: readonly string[]) => Promise<void>) {
  let waitingItems = new Set<string>();
  /** The batch that waits for the previous one to end, and still takes items. */
  let nextBatch: Promise<void> | undefined;
  let lastBatch: Promise<void> = Promise.resolve();
  let unfinishedBatches = 0;

  async function runNext(previous: Promise<void>): Promise<void> {
    unfinishedBatches += 1;
    // Only the callers of `add` for the previous batch receive its error.
    await previous.catch(() => {});
    const items = [...waitingItems];
    waitingItems = new Set();
    nextBatch = undefined;
    await run(items).finally(() => {
      unfinishedBatches -= 1;
    });
  }

  return {
    /** Adds items to the next batch. The promise settles like the call of `run` for that batch. */
    add(items: readonly string[]): Promise<void> {
      for (const item of items) waitingItems.add(item);
      nextBatch ??= runNext(lastBatch);
      lastBatch = nextBatch;
      return nextBatch;
    },
    /** Whether no batch is running or waiting. */
    isIdle: () => unfinishedBatches === 0,
    /** Waits for the batches that are running or waiting now; never rejected. */
    whenIdle: () => lastBatch.catch(() => {}),
  };
}
