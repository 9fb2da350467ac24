import { UNTIL_CLEARED } from '#domain/keeping.ts';
import type { Instant } from '#domain/time.ts';

/** An answer that may be kept until a write clears one of its tags, or its time is over. */
export interface Keepable<T> {
  readonly answer: T;
  /** What it shows, as `domain/keeping` names it. */
  readonly tags: readonly string[];
  /** When it changes by itself; null when only a write changes it. */
  readonly until: Instant | null;
}

/** How long an answer made at `now` may be kept, in whole seconds and never past its time. */
export function keepingOf({ tags, until }: Keepable<unknown>, now: Instant) {
  if (until === null) return { ...UNTIL_CLEARED, tags };
  const left = Math.max(0, Math.floor((until - now) / 1000));
  return { maxAge: Math.min(UNTIL_CLEARED.maxAge, left), swr: 0, tags };
}
