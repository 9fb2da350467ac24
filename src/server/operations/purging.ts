import type { Database } from '#server/database/connect.ts';
import type { TagPurge } from '#server/edge/purge.ts';
import type { Jobs } from '#server/jobs/jobs.ts';

/** Clears what our servers keep, and what the caches in front of them do. */
export interface Purging {
  /** As `Parts.clear`. A purge that fails becomes a job; it fails no change. */
  clear(tags: readonly string[]): Promise<void>;
  /** Does such a job, by its id. */
  purgeLate(id: string): Promise<void>;
  /** Leaves what was still to be purged once more to whichever server runs next. */
  stop(): Promise<void>;
}

interface PurgingParts {
  /** Clears what our servers keep; resolved when all were told. */
  readonly clearOurs: (tags: readonly string[]) => Promise<void>;
  /** Undefined when nothing stands in front. */
  readonly purge: TagPurge | undefined;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly log: (line: string) => void;
}

/** How long a change waits for each of the caches in front. */
const PATIENCE_MS = 1000;
const LATE_PATIENCE_MS = 30_000;
/**
 * When the same is purged again. A server that had not heard of the clear yet, or an answer that
 * was on its way, may have put the old page back, and nobody may see it 200 ms after the change: a
 * message takes some milliseconds, more on a busy server. A slow answer may take a second or two,
 * and a server that lost its listener knows it after three (database/clears).
 */
const AGAIN_MS = [50, 150, 2000, 4000];

/** Composes clearing and purging. */
export function createPurging({ clearOurs, purge, database, jobs, log }: PurgingParts): Purging {
  if (!purge) return { clear: clearOurs, purgeLate: async () => {}, stop: async () => {} };
  const repeats = AGAIN_MS.map((delay, nth) =>
    createRepeat(delay, (tags) => repeat(tags, nth === AGAIN_MS.length - 1)),
  );
  // Several caches may stand in front, and one that fails must not spare the others this. That all
  // of it is done at last is up to a job already: more of them would beget each other.
  const repeatsOfFailed = AGAIN_MS.map((delay) =>
    createRepeat(delay, (tags) => repeat(tags, false)),
  );
  const underWay = new Set<Promise<void>>();
  let waiting = new Set<string>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function purgeAtOnce(tags: readonly string[]): Promise<void> {
    try {
      await purge?.purge(tags, PATIENCE_MS);
      if (isStopped) await leave(tags);
      else for (const one of repeats) one.add(tags);
    } catch (error) {
      log(`A cache in front was not purged; it is tried again: ${inWords(error)}`);
      await leave(tags);
      if (!isStopped) for (const one of repeatsOfFailed) one.add(tags);
    }
  }

  /** Leaves it to a job. */
  async function leave(tags: readonly string[]): Promise<void> {
    try {
      await database
        .transaction()
        .execute((transaction) => jobs.add(transaction, [{ kind: 'purge', id: tags.join(',') }]));
    } catch (error) {
      log(`Caches in front may show old pages until these expire: ${tags.join(', ')}: ${error}`);
    }
  }

  function repeat(tags: readonly string[], isLast: boolean): void {
    const repeated = purge?.purge(tags, PATIENCE_MS).catch(async (error) => {
      if (!isLast) return;
      log(`A cache in front was not purged again; it is tried later: ${inWords(error)}`);
      await leave(tags);
    });
    const done = Promise.resolve(repeated).finally(() => underWay.delete(done));
    underWay.add(done);
  }

  /** What comes while one purge is under way goes with the next. */
  function purgeNext(): Promise<void> {
    next ??= last.then(async () => {
      const tags = [...waiting];
      waiting = new Set();
      next = undefined;
      await purgeAtOnce(tags);
    });
    last = next;
    return next;
  }

  return {
    async clear(tags) {
      if (tags.length === 0) return;
      await clearOurs(tags);
      for (const tag of tags) waiting.add(tag);
      await purgeNext();
    },
    async purgeLate(id) {
      const tags = id.split(',');
      await purge.purge(tags, LATE_PATIENCE_MS);
      if (!isStopped) for (const one of repeatsOfFailed) one.add(tags);
    },
    async stop() {
      isStopped = true;
      await last;
      const left = new Set([...repeats, ...repeatsOfFailed].flatMap((one) => one.end()));
      if (left.size > 0) await leave([...left]);
      await Promise.all(underWay);
    },
  };
}

/** `fetch` keeps to itself why it failed. */
function inWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause ? `${error}: ${cause.message}` : String(error);
}

/** Does something with each tag so long after it was last added. */
function createRepeat(delayMs: number, act: (tags: readonly string[]) => void) {
  // So that what is added at about the same time is done at once.
  const grain = delayMs / 10;
  /** The next one first: what is added again goes to the end. */
  const dueAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    const [first] = dueAt.values();
    if (timer || first === undefined) return;
    timer = setTimeout(fire, Math.max(0, first - performance.now()));
  }

  function fire(): void {
    timer = undefined;
    // Timers count whole milliseconds.
    const now = performance.now() + 1;
    const due = [...dueAt].filter(([, at]) => at <= now).map(([tag]) => tag);
    for (const tag of due) dueAt.delete(tag);
    if (due.length > 0) act(due);
    arm();
  }

  return {
    add(tags: readonly string[]): void {
      const due = Math.ceil((performance.now() + delayMs) / grain) * grain;
      for (const tag of tags) {
        dueAt.delete(tag);
        dueAt.set(tag, due);
      }
      arm();
    },
    /** Does nothing more, and answers what was left to do. */
    end(): readonly string[] {
      clearTimeout(timer);
      const left = [...dueAt.keys()];
      dueAt.clear();
      return left;
    },
  };
}
