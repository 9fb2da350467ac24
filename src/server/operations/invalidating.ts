import { tag } from '#cache/policy.ts';
import { InvalidInput, Refusal } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';

/**
 * Runs a change of what public pages show, and invalidates the tags before the response is sent.
 * An unexpected error, such as a lost connection, may come after the commit: it invalidates too.
 */
export async function invalidating<T>(
  { invalidate }: Pick<Context, 'invalidate'>,
  tags: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    const result = await change();
    await invalidate(tags);
    return result;
  } catch (error) {
    const hasChangedNothing = error instanceof Refusal || error instanceof InvalidInput;
    if (!hasChangedNothing) await invalidate(tags);
    throw error;
  }
}

/** Runs a change of an artist's calendar as `withCalendarLock` does, and invalidates its availability. */
export function updateCalendar<T>(
  context: Pick<Context, 'database' | 'invalidate'>,
  artistId: string,
  change: (transaction: Database, now: Instant) => Promise<T>,
): Promise<T> {
  return invalidating(context, [tag.availability(artistId)], () =>
    withCalendarLock(context.database, artistId, change),
  );
}
