/** Runs work that no response waits for, so that a response time reveals nothing about the work. */
export interface BackgroundTasks {
  /** @param name of the work, for the log line of a failure */
  start(name: string, work: () => Promise<void>): void;
  /** Resolves when all work has ended, including work that is started during the wait. */
  whenIdle(): Promise<void>;
}

export function createBackgroundTasks(log: (line: string) => void): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    start(name, work) {
      const task = work()
        .catch((error: unknown) => log(`${name} failed (not retried): ${error}`))
        .then(() => void running.delete(task));
      running.add(task);
    },
    async whenIdle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
