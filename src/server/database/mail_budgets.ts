/** Counts mails for the budgets of artists and mailboxes, so that all processes share them. */
import { sql } from 'kysely';
import type { CountedMail, MailRule } from '#domain/mail_budget.ts';
import { widestNetwork } from '#domain/network.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hashKey } from './hashed_keys.ts';
import { deleteInBatches } from './in_batches.ts';

const COLUMNS = {
  mailbox: 'mailbox',
  source: 'source',
  senderId: 'sender_id',
  isLinkNeeded: 'is_link_needed',
  isForSafety: 'is_for_safety',
} as const;

/** One person can have all networks of a /48, so they are one source. */
const hashSource = (source: string) => hashKey(widestNetwork(source));

export async function isMailCounted(database: Database, mailId: string): Promise<boolean> {
  const row = await database
    .selectFrom('counted_mails')
    .select('mail_id')
    .where('mail_id', '=', mailId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertCountedMail(
  transaction: Database,
  { mailId, mailbox, source, senderId, isLinkNeeded, isForSafety }: CountedMail,
  now: Instant,
): Promise<void> {
  await transaction
    .insertInto('counted_mails')
    .values({
      mail_id: mailId,
      mailbox,
      source: hashSource(source),
      sender_id: senderId,
      is_link_needed: isLinkNeeded,
      is_for_safety: isForSafety,
      counted_at: new Date(now),
    })
    .execute();
}

/** Deletes the counts of mails that will not be sent. */
export async function deleteCountedMails(
  database: Database,
  mailIds: readonly string[],
): Promise<void> {
  if (mailIds.length === 0) return;
  await database.deleteFrom('counted_mails').where('mail_id', 'in', mailIds).execute();
}

/** When a mail fits into a limit; null when it fits now. */
export async function findLimitEnd(
  database: Database,
  mail: CountedMail,
  { sameAs, mails, periodMs }: MailRule,
  now: Instant,
): Promise<Instant | null> {
  let counted = database
    .selectFrom('counted_mails')
    .select('counted_at')
    .where('counted_at', '>', new Date(now - periodMs));
  const stored = { ...mail, source: hashSource(mail.source) };
  for (const property of sameAs) counted = counted.where(COLUMNS[property], '=', stored[property]);
  // While this mail is in the period, the limit is reached.
  const row = await counted
    .orderBy('counted_at', 'desc')
    .offset(mails - 1)
    .limit(1)
    .executeTakeFirst();
  return row ? row.counted_at.getTime() + periodMs : null;
}

/** Deletes old counts, except those of queued mails: another attempt must not count them again. */
export async function deleteOldCountedMails(database: Database, before: Instant): Promise<void> {
  const isOld = sql`counted_at < ${new Date(before)}
    AND NOT EXISTS (SELECT FROM mails WHERE id = mail_id AND status = 'queued')`;
  await deleteInBatches(database, 'counted_mails', 'counted_at', isOld);
}
