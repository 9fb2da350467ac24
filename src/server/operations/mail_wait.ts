import type { Instant } from '#domain/time.ts';
import type { Database } from '#server/database/connect.ts';
import type { MailToSend } from '#server/database/mails.ts';

/** Whether a mail waits, and the minutely tasks have not woken it. */
export function isWaiting(
  { waits_until, woken_at }: Pick<MailToSend, 'waits_until' | 'woken_at'>,
  now: Instant,
): boolean {
  if (waits_until === null || waits_until.getTime() <= now) return false;
  // Woken by the database's clock, which may be ahead of ours.
  return woken_at === null || woken_at < waits_until;
}

/**
 * Until when a mail about an appointment waits, because a change of its artist's studio can be undone:
 * an undo that mails nobody must leave no client with a wrong address or time. Call it after the facts
 * of the mail are read: a change that commits in between is then found.
 */
export async function findStudioChangeWait(
  transaction: Database,
  { notice, artist_id, woken_at }: Pick<MailToSend, 'notice' | 'artist_id' | 'woken_at'>,
  now: Instant,
): Promise<Instant | null> {
  if (!('appointment' in notice) || artist_id === null) return null;
  const change = await transaction
    .selectFrom('studio_changes')
    .select('undo_until as waits_until')
    .where('artist_id', '=', artist_id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  if (!change || !isWaiting({ ...change, woken_at }, now)) return null;
  return change.waits_until.getTime();
}
