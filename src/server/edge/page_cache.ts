import { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/time.ts';
import type { ReadyAnswer } from './ready_answer.ts';

/** An answer that is kept, and how long it is good. */
export interface KeptAnswer extends ReadyAnswer {
  readonly tags: readonly string[];
  /** Until then, excluded, it is as good as new. */
  readonly freshUntil: Instant;
  /** Until then, excluded, it may be handed out while a new one is made. */
  readonly staleUntil: Instant;
}

/** An answer that is being made; what is cleared meanwhile keeps it from being stored. */
interface Making {
  /** The last clear before it began. */
  readonly begun: number;
}

/** Answers by address, within a bound of bytes; those that were not asked for longest go first. */
export interface PageCache {
  /** What is kept under a key; undefined when it is gone or no longer good at `now`. */
  find(key: string, now: Instant): KeptAnswer | undefined;
  /** Tells when an answer begins to be made; `end` must follow. */
  begin(): Making;
  /** Whether nothing at all was cleared since. */
  isUntouched(making: Making): boolean;
  /** Whether none of what it shows was cleared since it began. */
  isCurrent(making: Making, tags: readonly string[]): boolean;
  /** Keeps an answer, unless it was overtaken by a clear or the cache is closed. */
  keep(key: string, answer: KeptAnswer, making: Making): void;
  end(making: Making): void;
  drop(key: string): void;
  /** Drops what shows any of these. */
  clear(tags: readonly string[]): void;
  /** Drops everything, and keeps nothing until it is opened. */
  close(): void;
  /** Keeps what is made from now on. */
  open(): void;
  /** Bytes that are kept, of bodies, headers and keys. */
  readonly bytes: number;
}

/** No answer takes more of the bound than this share. */
const LARGEST_SHARE = 1 / 8;
const MOST_CLEARS_KNOWN = 1000;

/** A closed cache of at most `mostBytes`; with 0 it keeps nothing. */
export function createPageCache(mostBytes: number): PageCache {
  const keysOf = new Map<string, Set<string>>();
  const answers = new LRUCache<string, KeptAnswer>({
    // To the library, 0 is no bound.
    maxSize: Math.max(1, mostBytes),
    maxEntrySize: Math.max(1, Math.floor(mostBytes * LARGEST_SHARE)),
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
    dispose(answer, key) {
      for (const tag of answer.tags) {
        const keys = keysOf.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysOf.delete(tag);
      }
    },
  });
  let isOpen = false;
  let clears = 0;
  /** Of what began before this clear, nothing is kept. */
  let oldest = 0;
  /** Of tags that were cleared while something was being made: the number of the last clear. */
  const clearedAt = new Map<string, number>();
  const underWay = new Set<Making>();

  const isCurrent = ({ begun }: Making, tags: readonly string[]) =>
    begun >= oldest && tags.every((tag) => begun >= (clearedAt.get(tag) ?? 0));

  const empty = () => {
    clears += 1;
    oldest = clears;
    answers.clear();
  };

  return {
    find(key, now) {
      const answer = answers.get(key);
      if (answer === undefined || now < answer.staleUntil) return answer;
      answers.delete(key);
      return undefined;
    },
    begin() {
      const making = { begun: clears };
      underWay.add(making);
      return making;
    },
    isUntouched: ({ begun }) => begun === clears,
    isCurrent,
    keep(key, answer, making) {
      if (!isOpen || !isCurrent(making, answer.tags)) return;
      answers.set(key, answer);
      // One that is too large is not kept.
      if (!answers.has(key)) return;
      for (const tag of answer.tags) {
        const keys = keysOf.get(tag);
        if (keys) keys.add(key);
        else keysOf.set(tag, new Set([key]));
      }
    },
    end(making) {
      underWay.delete(making);
      if (underWay.size === 0) clearedAt.clear();
    },
    drop: (key) => answers.delete(key),
    clear(tags) {
      clears += 1;
      if (clearedAt.size > MOST_CLEARS_KNOWN) {
        clearedAt.clear();
        oldest = clears;
      }
      for (const tag of tags) {
        if (underWay.size > 0) clearedAt.set(tag, clears);
        for (const key of [...(keysOf.get(tag) ?? [])]) answers.delete(key);
      }
    },
    close() {
      isOpen = false;
      empty();
    },
    open() {
      isOpen = true;
      // What began while nobody listened may show what has changed since.
      empty();
    },
    get bytes() {
      return answers.calculatedSize;
    },
  };
}
