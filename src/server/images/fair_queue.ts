/** Runs tasks one at a time, and lets their owners take turns. */
import { refuse } from '#domain/refusal.ts';

interface FairQueueOptions {
  /** How many tasks of all owners together may wait. */
  readonly maxWaiting: number;
  /** How many tasks of one owner may wait. */
  readonly maxWaitingPerOwner: number;
}

/** Creates a queue for tasks of several owners, such as artists. */
export function createFairQueue({ maxWaiting, maxWaitingPerOwner }: FairQueueOptions) {
  type Start = () => Promise<void>;
  /** The waiting tasks by owner. A map iterates in the order of insertion: the first is the next. */
  const waiting = new Map<string, Start[]>();
  const background: Start[] = [];
  let waitingCount = 0;
  let isRunning = false;

  function takeNext(): Start | undefined {
    const [next] = waiting;
    if (!next) return background.shift();
    const [owner, tasks] = next;
    const task = tasks.shift();
    // The owner's next turn comes after the turns of all others.
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    waitingCount -= 1;
    return task;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let start = takeNext(); start; start = takeNext()) await start();
    isRunning = false;
  }

  /** Wraps a task so that it never throws, and settles the promise that its caller awaits. */
  function toStart<T>(task: () => Promise<T>): { start: Start; promise: Promise<T> } {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    return { start: () => task().then(resolve, reject), promise };
  }

  return {
    /**
     * Runs a task when its turn comes. An owner with many waiting tasks delays another owner's task
     * by one task only.
     * @throws Refusal `busy` when too many tasks wait
     */
    async add<T>(owner: string, task: () => Promise<T>): Promise<T> {
      const tasks = waiting.get(owner) ?? [];
      if (waitingCount >= maxWaiting || tasks.length >= maxWaitingPerOwner) throw refuse('busy');
      const { start, promise } = toStart(task);
      waiting.set(owner, [...tasks, start]);
      waitingCount += 1;
      void run();
      return promise;
    },
    /** Like `add`, but runs the task when no other kind of task waits; any number may wait. */
    addInBackground<T>(task: () => Promise<T>): Promise<T> {
      const { start, promise } = toStart(task);
      background.push(start);
      void run();
      return promise;
    },
  };
}
