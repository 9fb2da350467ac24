import { tag } from '#domain/keeping.ts';
import { InvalidInput, Refusal } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { inCalendarOf } from '#server/database/calendar_transaction.ts';
import type { Database } from '#server/database/connect.ts';
import type { Parts } from './parts.ts';

type Clears = Pick<Parts, 'clear'>;

/**
 * Changes what public pages show, and has what is kept under these tags cleared before anyone
 * hears how it went. What failed in doubt, as by a lost connection, may have changed it too.
 */
export async function clearing<T>(
  parts: Clears,
  tags: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    const changed = await change();
    await parts.clear(tags);
    return changed;
  } catch (error) {
    const isSure = error instanceof Refusal || error instanceof InvalidInput;
    if (!isSure) await parts.clear(tags);
    throw error;
  }
}

/** Changes what an artist's calendar holds, as `inCalendarOf`, and clears what was shown of it. */
export function changeCalendar<T>(
  parts: Clears & Pick<Parts, 'database'>,
  artistId: string,
  change: (transaction: Database, now: Instant) => Promise<T>,
): Promise<T> {
  return clearing(parts, [tag.availability(artistId)], () =>
    inCalendarOf(parts.database, artistId, change),
  );
}
