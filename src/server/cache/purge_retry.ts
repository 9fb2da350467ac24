import type { CdnAdapter } from './cdn/cdn_adapter.ts';
import { coalesce } from './coalesce.ts';

/** Purges the CDNs in front of the servers, several times, and later by a job when that fails. */
export interface PurgeRetry {
  /** Resolved when the CDNs were purged, or a job will purge them; never rejected. */
  purge(tags: readonly string[]): Promise<void>;
  /**
   * The work of such a job.
   * @throws when a CDN fails again
   */
  purgeAgain(tags: readonly string[]): Promise<void>;
  /** Leaves the purges that were still to be repeated to a job. */
  stop(): Promise<void>;
}

interface PurgeRetryOptions {
  /** All CDNs as one; undefined when there are none. */
  readonly cdns: CdnAdapter | undefined;
  /** Adds a job that calls `purgeAgain`, on this or another server. */
  readonly enqueue: (tags: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/** How long a write waits for each CDN. */
const TIMEOUT_MS = 1000;
const JOB_TIMEOUT_MS = 30_000;
/**
 * When a purge is repeated. A server that had not received the invalidation, or a response that was
 * on its way, may have put the old page back, and nobody may see it 200 ms after the change:
 * messages take milliseconds, more on a busy server. A slow response takes a second or two, and a
 * server that lost its connection notices it after three (cache/invalidation_channel).
 */
const REPEAT_AFTER_MS = [50, 150, 2000, 4000];

export function createPurgeRetry({ cdns, enqueue, log }: PurgeRetryOptions): PurgeRetry {
  if (!cdns) return { purge: async () => {}, purgeAgain: async () => {}, stop: async () => {} };
  const repeats = REPEAT_AFTER_MS.map((delayMs, index) =>
    delayTags(delayMs, (tags) => repeat(tags, index === REPEAT_AFTER_MS.length - 1)),
  );
  // After a failure a job exists already, so these repeats add none. They serve the other CDNs.
  const repeatsAfterFailure = REPEAT_AFTER_MS.map((delayMs) =>
    delayTags(delayMs, (tags) => repeat(tags, false)),
  );
  const running = new Set<Promise<void>>();
  let isStopped = false;

  const batches = coalesce(async (tags) => {
    try {
      await cdns.purge(tags, TIMEOUT_MS);
      if (isStopped) await enqueueOrLog(tags);
      else for (const later of repeats) later.add(tags);
    } catch (error) {
      log(`CDN: purging failed (a job tries again): ${describe(error)}`);
      await enqueueOrLog(tags);
      if (!isStopped) for (const later of repeatsAfterFailure) later.add(tags);
    }
  });

  async function enqueueOrLog(tags: readonly string[]): Promise<void> {
    try {
      await enqueue(tags);
    } catch (error) {
      log(
        `CDN: old pages of ${tags.join(', ')} stay until they expire: adding a job failed: ${error}`,
      );
    }
  }

  function repeat(tags: readonly string[], isLast: boolean): void {
    const done = cdns
      ?.purge(tags, TIMEOUT_MS)
      .catch(async (error) => {
        if (!isLast) return;
        log(`CDN: repeating a purge failed (a job tries again): ${describe(error)}`);
        await enqueueOrLog(tags);
      })
      .finally(() => done && running.delete(done));
    if (done) running.add(done);
  }

  return {
    purge: (tags) => batches.add(tags),
    async purgeAgain(tags) {
      await cdns.purge(tags, JOB_TIMEOUT_MS);
      if (!isStopped) for (const later of repeatsAfterFailure) later.add(tags);
    },
    async stop() {
      isStopped = true;
      await batches.idle();
      const tags = new Set([...repeats, ...repeatsAfterFailure].flatMap((later) => later.end()));
      if (tags.size > 0) await enqueueOrLog([...tags]);
      await Promise.all(running);
    },
  };
}

/** `fetch` hides the reason of a failure in `cause`. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause ? `${error}: ${cause.message}` : String(error);
}

/** Calls `act` with each tag once, `delayMs` after the tag was last added. */
function delayTags(delayMs: number, act: (tags: readonly string[]) => void) {
  // Times are rounded up, so that tags added at about the same time are handled together.
  const grainMs = delayMs / 10;
  /** Sorted by time: a tag that is added again moves to the end. */
  const dueAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function startTimer(): void {
    const [first] = dueAt.values();
    if (timer || first === undefined) return;
    timer = setTimeout(onTimer, Math.max(0, first - performance.now()));
  }

  function onTimer(): void {
    timer = undefined;
    // Timers count whole milliseconds and may be up to one early.
    const now = performance.now() + 1;
    const due = [...dueAt].filter(([, at]) => at <= now).map(([tag]) => tag);
    for (const tag of due) dueAt.delete(tag);
    if (due.length > 0) act(due);
    startTimer();
  }

  return {
    add(tags: readonly string[]): void {
      const due = Math.ceil((performance.now() + delayMs) / grainMs) * grainMs;
      for (const tag of tags) {
        dueAt.delete(tag);
        dueAt.set(tag, due);
      }
      startTimer();
    },
    /** Stops, and answers the tags that were still waiting. */
    end(): readonly string[] {
      clearTimeout(timer);
      const tags = [...dueAt.keys()];
      dueAt.clear();
      return tags;
    },
  };
}
