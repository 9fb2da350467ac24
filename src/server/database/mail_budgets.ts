/** Counts mails for the budgets of artists and mailboxes, so that all processes share them. */
import { sql } from 'kysely';
import type { MailBudget } from '#domain/mail/mail.ts';
import type { WayToCount } from '#domain/mail/mail_budget.ts';
import { type CountedMail, MAIL_LIMITS } from '#domain/requests/limits.ts';
import { widestNetwork } from '#domain/requests/network.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';
import { hashKey } from './hashed_keys.ts';
import { deleteInBatches } from './in_batches.ts';

/** The columns of `counted_mails`, by the fields of a counted mail. */
const COLUMNS = {
  mailbox: 'mailbox',
  source: 'source',
  senderId: 'sender_id',
  isLinkNeeded: 'is_link_needed',
  isForSafety: 'is_for_safety',
} as const;

/** One person can have all networks of a /48, so they are one source. */
const hashSource = (source: string) => hashKey(widestNetwork(source));

/** Counts a mail that may be sent. */
export async function insertCountedMail(
  transaction: Transaction,
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

/** How long a mail waits that counts in this way, and for which budget; undefined if it fits into all limits. */
export async function findMailWait(
  database: Database,
  { mail, limits }: WayToCount,
  now: Instant,
): Promise<{ readonly budget: MailBudget; readonly until: Instant } | undefined> {
  const stored = { ...mail, source: hashSource(mail.source) };
  const ends = limits.map((name) => {
    const { by, most, periodMs } = MAIL_LIMITS[name];
    const isSame = by.map((part) => sql`${sql.ref(COLUMNS[part])} = ${stored[part]}`);
    const since = new Date(now - periodMs);
    // The newest mail that fills the limit: the limit is reached while the mail is in the period.
    return sql`(SELECT counted_at FROM counted_mails
      WHERE counted_at > ${since} AND ${sql.join(isSame, sql` AND `)}
      ORDER BY counted_at DESC OFFSET ${most - 1} LIMIT 1)`;
  });
  const query = sql<{ counted: (Date | null)[] }>`SELECT ARRAY[${sql.join(ends)}] AS counted`;
  const [row] = (await query.execute(database)).rows;
  const waits = limits.flatMap((name, index) => {
    const { budget, periodMs } = MAIL_LIMITS[name];
    const at = row?.counted[index];
    return at ? [{ budget, until: at.getTime() + periodMs }] : [];
  });
  // The longest wait, after which the mail fits into all limits.
  return waits.toSorted((a, b) => b.until - a.until)[0];
}

/** Deletes old counts, except those of queued mails: another attempt must not count them again. */
export async function deleteOldCountedMails(database: Database, before: Instant): Promise<void> {
  const isOld = sql`counted_at < ${new Date(before)}
    AND NOT EXISTS (SELECT FROM mails WHERE id = mail_id AND status = 'queued')`;
  await deleteInBatches(database, 'counted_mails', 'counted_at', isOld);
}
