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
 * @param onError gets the error of a run of several items
 */
export function runTogether<Item, Result>(
  run: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result>>,
  onError: (error: unknown) => void,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runWaiting(): Promise<void> {
    isRunning = true;
    await endOfTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const left = batch.length === 1 ? batch : resolveThose(batch, await tryRun(batch));
      await Promise.all(left.map(runAlone));
    }
    isRunning = false;
  }

  async function tryRun(
    batch: readonly Waiting<Item, Result>[],
  ): Promise<ReadonlyMap<Item, Result>> {
    try {
      return await run(batch.map(({ item }) => item));
    } catch (error) {
      onError(error);
      return new Map();
    }
  }

  async function runAlone(one: Waiting<Item, Result>): Promise<void> {
    try {
      const [left] = resolveThose([one], await run([one.item]));
      left?.reject(new Error('An item has no result'));
    } catch (error) {
      one.reject(error);
    }
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isRunning) void runWaiting();
    return promise;
  };
}

/** Resolves the calls whose items have results. @returns the others */
function resolveThose<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  results: ReadonlyMap<Item, Result>,
): Waiting<Item, Result>[] {
  const waitingByItem = new Map(batch.map((one) => [one.item, one]));
  for (const [item, result] of results) waitingByItem.get(item)?.resolve(result);
  return batch.filter(({ item }) => !results.has(item));
}
