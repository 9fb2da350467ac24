import { tag } from '#cache/policy.ts';
import {
  InvalidInput,
  ProofOfWorkRequired,
  RateLimited,
  Refusal,
  type RefusalReason,
  refuse,
} from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { type Database, violatedConstraint } from '#server/database/connect.ts';
import type { Context } from './context.ts';

/** Errors that refuse a change. */
const REFUSALS = [Refusal, InvalidInput, RateLimited, ProofOfWorkRequired];

/**
 * Changes public data, and invalidates its cache tags before the response is sent. Also invalidates
 * them after an unexpected error: the change may be committed although its connection was lost.
 * @param change must throw one of `REFUSALS` only when it changed nothing
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
    const isUnchanged = REFUSALS.some((refusal) => error instanceof refusal);
    if (!isUnchanged) await invalidate(tags);
    throw error;
  }
}

/**
 * Changes an artist's calendar in a transaction, one change per artist at a time, and invalidates
 * the artist's cached availability.
 * @param change runs again after a serialization conflict or deadlock; `now` is the database's time
 */
export function updateCalendar<T>(
  context: Pick<Context, 'database' | 'invalidate'>,
  artistId: string,
  change: (transaction: Database, now: Instant) => Promise<T>,
): Promise<T> {
  return invalidating(context, [tag.availability(artistId)], () =>
    withCalendarLock(context.database, artistId, change),
  );
}

/**
 * Turns the database's error about times that overlap into a refusal. Others become `time_taken`.
 * @throws Refusal `reason`
 */
export async function withOverlapRefusal<T>(
  reason: RefusalReason,
  save: () => Promise<T>,
): Promise<T> {
  try {
    return await save();
  } catch (error) {
    throw violatedConstraint(error) === 'no_double_booking' ? refuse(reason) : error;
  }
}

/** Turns the database's error about a username or an email that is in use into a refusal. */
export async function withTakenRefusals<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'artists_username') throw refuse('username_taken');
    if (constraint === 'artists_email') throw refuse('email_taken');
    // Another client of the same artist has the email.
    if (constraint === 'clients_email') throw refuse('client_email_taken');
    throw error;
  }
}
