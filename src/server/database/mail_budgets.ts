/** Counts mails for the budgets of artists and mailboxes, so that all processes share them. */
import type { MailLimit } from '#domain/mail_budget.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

/** A mail that counts. `senderId` is the artist's; null for a mail to an artist. */
export interface CountedMail {
  readonly mailId: string;
  readonly mailbox: string;
  readonly source: string;
  readonly senderId: string | null;
}

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
  { mailId, mailbox, source, senderId }: CountedMail,
  now: Instant,
): Promise<void> {
  await transaction
    .insertInto('counted_mails')
    .values({ mail_id: mailId, mailbox, source, sender_id: senderId, counted_at: new Date(now) })
    .execute();
}

/**
 * When the next mail fits into a limit; null when it fits now.
 * @param of the mails that the limit counts
 */
export async function findLimitEnd(
  database: Database,
  of: { readonly senderId: string } | { readonly mailbox: string; readonly source?: string },
  { mails, periodMs }: MailLimit,
  now: Instant,
): Promise<Instant | null> {
  let counted = database
    .selectFrom('counted_mails')
    .select('counted_at')
    .where('counted_at', '>', new Date(now - periodMs));
  if ('senderId' in of) counted = counted.where('sender_id', '=', of.senderId);
  else {
    counted = counted.where('mailbox', '=', of.mailbox);
    if (of.source !== undefined) counted = counted.where('source', '=', of.source);
  }
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
  await database
    .deleteFrom('counted_mails')
    .where('counted_at', '<', new Date(before))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails')
            .select('mails.id')
            .whereRef('mails.id', '=', 'counted_mails.mail_id')
            .where('mails.status', '=', 'queued'),
        ),
      ),
    )
    .execute();
}
