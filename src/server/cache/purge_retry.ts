import type { Logger } from 'pino';
import type { CdnAdapter } from './cdn/cdn_adapter.ts';
import { coalesce } from './coalesce.ts';

/** Purges CDNs. Repeats every purge (see `REPEAT_AFTER_MS`); a job retries a failed purge. */
export interface PurgeRetry {
  /** Resolved after the first attempt and, if it failed, after enqueueing a job; never rejected. */
  purge(tags: readonly string[]): Promise<void>;
  /**
   * Purges within a job, and repeats a successful purge. If the last repeat fails, a new job purges.
   * @throws when a CDN fails; pg-boss then retries the job
   */
  purgeInJob(tags: readonly string[]): Promise<void>;
  /** Enqueues a job in place of the repeats that have not started; waits for running purges. */
  stop(): Promise<void>;
}

interface PurgeRetryOptions {
  /** One adapter for all CDNs; undefined when there are none. */
  readonly cdns: CdnAdapter | undefined;
  /** Adds a job that calls `purgeInJob`, on this or another server. */
  readonly enqueue: (tags: readonly string[]) => Promise<void>;
  readonly log: Logger;
}

/** Limit of each HTTP call to a CDN; a request that changes data waits for these calls. */
const TIMEOUT_MS = 1000;
const JOB_TIMEOUT_MS = 30_000;
/**
 * How long after a purge each repeat starts. A response that was under way, or a server of ours
 * that had not yet received the invalidation, may put the old page back into a CDN. An invalidation
 * takes milliseconds, a slow response 2 s; a server notices a lost LISTEN connection within 3 s.
 */
const REPEAT_AFTER_MS = [50, 150, 2000, 4000];

/** Without CDNs, all functions do nothing. */
export function createPurgeRetry({ cdns, enqueue, log }: PurgeRetryOptions): PurgeRetry {
  if (!cdns) return { purge: async () => {}, purgeInJob: async () => {}, stop: async () => {} };
  const repeats = REPEAT_AFTER_MS.map((delayMs, index) => {
    const isLast = index === REPEAT_AFTER_MS.length - 1;
    const repeatedPurges = coalesce(async (tags) => {
      try {
        await cdns.purge(tags, TIMEOUT_MS);
      } catch (error) {
        // A later repeat purges again.
        if (!isLast) return;
        log.error({ err: error, component: 'CDN' }, 'Repeated purge failed (a job will retry)');
        await enqueueOrLog(tags);
      }
    });
    const { add, whenIdle } = repeatedPurges;
    return { ...debounceTags(delayMs, add), whenIdle };
  });
  let isStopped = false;

  // Runs one purge at a time; tags that are added meanwhile are purged together next.
  const purges = coalesce(async (tags) => {
    try {
      await cdns.purge(tags, TIMEOUT_MS);
    } catch (error) {
      log.error({ err: error, component: 'CDN' }, 'Purge failed (a job will retry)');
      await enqueueOrLog(tags);
      if (isStopped) return;
    }
    // Also after a failure: the job may wait long for one CDN, or may not be stored.
    await repeatLater(tags);
  });

  async function repeatLater(tags: readonly string[]): Promise<void> {
    if (isStopped) await enqueueOrLog(tags);
    else for (const repeat of repeats) repeat.add(tags);
  }

  async function enqueueOrLog(tags: readonly string[]): Promise<void> {
    try {
      await enqueue(tags);
    } catch (error) {
      log.error(
        { err: error, component: 'CDN', tags },
        'Enqueueing a purge failed (pages with these tags stay cached until they expire)',
      );
    }
  }

  return {
    purge: (tags) => purges.add(tags),
    async purgeInJob(tags) {
      await cdns.purge(tags, JOB_TIMEOUT_MS);
      await repeatLater(tags);
    },
    async stop() {
      isStopped = true;
      await purges.whenIdle();
      const tags = new Set(repeats.flatMap((repeat) => repeat.cancel()));
      if (tags.size > 0) await enqueueOrLog([...tags]);
      await Promise.all(repeats.map((repeat) => repeat.whenIdle()));
    },
  };
}

/** Calls `callback` with each tag once, `delayMs` after the tag was last added (a debounce). */
function debounceTags(delayMs: number, callback: (tags: readonly string[]) => void) {
  // Due times are multiples of `grainMs`, so that tags added at about the same time share a call.
  const grainMs = delayMs / 10;
  const dueAt = new Map<string, number>();

  function callWithDue(time: number): void {
    const dueTags = [...dueAt].filter(([, due]) => due === time).map(([tag]) => tag);
    for (const tag of dueTags) dueAt.delete(tag);
    if (dueTags.length > 0) callback(dueTags);
  }

  return {
    add(tags: readonly string[]): void {
      const due = Math.ceil((performance.now() + delayMs) / grainMs) * grainMs;
      for (const tag of tags) dueAt.set(tag, due);
      // Tags that wait do not keep the process alive: `stop` enqueues a job for them.
      setTimeout(callWithDue, due - performance.now(), due).unref();
    },
    /** Returns the tags that were still waiting, and forgets them. */
    cancel(): readonly string[] {
      const tags = [...dueAt.keys()];
      dueAt.clear();
      return tags;
    },
  };
}
