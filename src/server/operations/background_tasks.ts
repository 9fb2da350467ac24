/** What is done after a call was answered, so that the time of the answer tells nothing of it. */
export interface BackgroundTasks {
  /** `what` names the work in the log, should it fail. */
  start(what: string, work: () => Promise<void>): void;
  /** Once nothing is left to do. */
  idle(): Promise<void>;
}

export function createBackgroundTasks(log: (line: string) => void): BackgroundTasks {
  const underWay = new Set<Promise<void>>();
  return {
    start(what, work) {
      const done = work()
        .catch((error: unknown) => log(`${what} failed: ${error}`))
        .then(() => {
          underWay.delete(done);
        });
      underWay.add(done);
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
