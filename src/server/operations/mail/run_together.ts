import { setImmediate as endOfTurn } from 'node:timers/promises';

/** A call that waits for its run. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets calls share a run: those that come at once, or while a run goes on, are the next run. So many mails cost few
 * statements, and a single mail does not wait.
 * @param run returns the results by their items. Items without a result run again, each alone, as all do after an
 *   error: so one item does not fail the others
 */
export function runTogether<Item, Result>(
  run: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result>>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runWaiting(): Promise<void> {
    isRunning = true;
    await endOfTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const items = batch.map(({ item }) => item);
      const results = await (items.length === 1 ? new Map() : run(items).catch(() => new Map()));
      const left = batch.filter(({ item }) => !results.has(item));
      for (const { item, resolve } of batch) if (results.has(item)) resolve(results.get(item));
      await Promise.all(left.map(runAlone));
    }
    isRunning = false;
  }

  async function runAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      for (const result of (await run([item])).values()) resolve(result);
      reject(new Error('An item has no result'));
    } catch (error) {
      reject(error);
    }
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isRunning) void runWaiting();
    return promise;
  };
}
