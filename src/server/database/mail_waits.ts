/**
 * Mails that wait: because a budget is used up, a client may still confirm, or the artist can undo a
 * change of the studio or a move.
 */
import { sql } from 'kysely';
import type { MailBudget } from '#domain/mail/mail.ts';
import { mergeableKinds } from '#domain/mail/mail_budget.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';
import { isInNextBatch } from './in_batches.ts';
import type { MailToSend } from './mails.ts';

export interface MailWait {
  readonly until: Instant;
  /** The budget that is used up; null for another reason. */
  readonly budget: MailBudget | null;
  /** The hash of the recipient's mailbox, whose waiting mails can be merged; null without a budget. */
  readonly mailbox: string | null;
}

/** Makes a queued mail wait. */
export async function updateMailWait(
  database: Database,
  id: string,
  wait: MailWait,
): Promise<void> {
  await database
    .updateTable('mails')
    .set({ mailbox: wait.mailbox, waits_until: new Date(wait.until), waits_for: wait.budget })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute();
}

/** Makes mails due that wait for this mailbox, or for the budget of this artist. */
export async function endMailWaits(
  database: Database,
  whose: { readonly mailbox: string } | { readonly senderId: string },
  now: Instant,
): Promise<void> {
  const waiting = database
    .updateTable('mails')
    // Without `woken_at`: the mail may have been woken after `now`, and have begun to wait again.
    .set({ waits_until: new Date(now), woken_at: null })
    .where('status', '=', sql.lit('queued'))
    .where('waits_until', '>', new Date(now));
  await ('mailbox' in whose
    ? waiting.where('mailbox', '=', whose.mailbox).where('waits_for', '=', 'mailbox')
    : waiting.where('sender_id', '=', whose.senderId).where('waits_for', '=', 'artist')
  ).execute();
}

/**
 * Marks a batch of the mails whose wait is over, so that each is found once, and returns their ids. A mail
 * that waits again is found again.
 */
export async function wakeDueMails(transaction: Transaction, now: Instant): Promise<string[]> {
  const isDue = sql`status = 'queued' AND merged_into IS NULL AND waits_until <= ${new Date(now)}
    AND (woken_at IS NULL OR woken_at < waits_until)`;
  const rows = await transaction
    .updateTable('mails')
    .set({ woken_at: new Date(now) })
    .where(isInNextBatch('mails', 'waits_until', isDue))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** At most this many waiting mails are merged into one; the others wait for the next. */
const MAX_MERGED = 50;

/** Lists the mails of a mailbox whose wait is over and that can be merged into `mail`, oldest first. */
export async function listDueMails(
  transaction: Transaction,
  mail: Pick<MailToSend, 'id' | 'notice'>,
  mailbox: string,
  now: Instant,
): Promise<MailToSend[]> {
  const kinds = mergeableKinds(mail.notice.kind);
  if (kinds.length === 0) return [];
  return transaction
    .selectFrom('mails')
    .selectAll()
    .where('mailbox', '=', mailbox)
    .where('status', '=', sql.lit('queued'))
    .where('merged_into', 'is', null)
    .where('waits_until', '<=', new Date(now))
    .where('id', '!=', mail.id)
    .where(sql`notice->>'kind'`, 'in', kinds)
    .where(IS_NOT_BEING_SENT)
    .orderBy('position')
    .limit(sql.lit(MAX_MERGED))
    .execute();
}

/** A mail that is being sent has been counted, and other mails may have been merged into it. */
const IS_NOT_BEING_SENT = sql<boolean>`NOT EXISTS (
    SELECT FROM mails AS merged WHERE merged.merged_into = mails.id
  ) AND NOT EXISTS (SELECT FROM counted_mails WHERE mail_id = mails.id)`;

/** Lists the mails that are merged into another one, oldest first. */
export function listMergedMails(database: Database, intoId: string) {
  return database
    .selectFrom('mails')
    .selectAll()
    .where('merged_into', '=', intoId)
    .where('status', '=', 'queued')
    .orderBy('position')
    .execute();
}

/** Merges mails into another one. They end with it: sent, or failed. */
export async function mergeMails(transaction: Transaction, ids: readonly string[], intoId: string) {
  if (ids.length === 0) return;
  await transaction
    .updateTable('mails')
    .set({ merged_into: intoId })
    .where('id', 'in', ids)
    .execute();
}
