/**
 * Lets mails be sent within the budgets of mailboxes and artists (`mail_budget.ts`): a mail beyond a budget waits,
 * and is sent together with others that wait for its mailbox.
 */
import { sql } from 'kysely';
import { isToClient } from '#domain/mail/mail.ts';
import {
  isSafetyKind,
  isUnlimited,
  mailLimits,
  needsLink,
  waysToCount,
} from '#domain/mail/mail_budget.ts';
import type { Instant } from '#domain/time/time.ts';
import { takeLocksOn } from '#server/database/advisory_lock.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { type CheckedMail, loadMailChecks } from '#server/database/mail_checks.ts';
import * as waits from '#server/database/mail_waits.ts';
import { loadMailboxTrust } from '#server/database/mailboxes.ts';
import * as mails from '#server/database/mails.ts';
import type { Context, InChange } from '../context.ts';
import { dropOutdated, updateFacts } from './mail_truth.ts';

/** Locks the budgets of mails that may be counted, until the end of the transaction. */
export function lockBudgets(
  { database, hasLimitsPerTime }: InChange<Pick<Context, 'hasLimitsPerTime'>>,
  all: readonly CheckedMail[],
): Promise<void> {
  const limited = all.filter(
    ({ mail, people, isCounted }) =>
      hasLimitsPerTime && !isCounted && !isUnlimited(mail.notice.kind, people),
  );
  const locks = limited.flatMap(
    ({ mail }) =>
      [
        { lock: 'artistBudget', id: mail.sender_id },
        { lock: 'mailboxBudget', id: hashMailbox(mail.address) },
      ] as const,
  );
  return takeLocksOn(database, locks);
}

/**
 * Lets a mail be sent, or makes it wait if a budget is used up. A mail that may be sent is counted, once for all
 * attempts to send it, and includes the mails that waited for the same mailbox. Call it with the lock of the mail's
 * thread, and after `lockBudgets`.
 * @returns the mails whose content it has, itself last; null if it waits
 */
export async function admitMail(
  { database, hasLimitsPerTime }: InChange<Pick<Context, 'hasLimitsPerTime'>>,
  checked: CheckedMail,
  now: Instant,
): Promise<readonly CheckedMail[] | null> {
  const { mail, people, isCounted } = checked;
  const { id, notice } = mail;
  const { kind } = notice;
  if (!hasLimitsPerTime || isUnlimited(kind, people)) return [checked];
  if (isCounted) {
    // Mails that an earlier attempt has merged into it.
    const merged = await waits.listMergedMails(database, id);
    return [...(await loadMailChecks(database, merged)), checked];
  }
  const mailbox = hashMailbox(mail.address);
  const counted = {
    mailId: id,
    mailbox,
    source: await findSource(database, mail),
    senderId: isToClient(kind) ? mail.sender_id : null,
    isLinkNeeded: needsLink(kind, people.mustProveEmail),
    isForSafety: isSafetyKind(kind),
  };
  const mailWaits = [];
  for (const way of waysToCount(kind, counted, people)) {
    const wait = await budgets.findMailWait(database, way, now);
    if (!wait) {
      await budgets.insertCountedMail(database, way.mail, now);
      return [...(await mergeDueMails(database, mail, mailbox, now)), checked];
    }
    mailWaits.push(wait);
  }
  const soonest = mailWaits.reduce((best, wait) => (wait.until < best.until ? wait : best));
  await waits.updateMailWait(database, id, { mailbox, ...soonest });
  return null;
}

/** The sender who caused a mail. An expiry or a reminder counts for the network that typed the address. */
async function findSource(database: Database, mail: mails.MailToSend): Promise<string> {
  const { kind } = mail.notice;
  const own = mail.source ?? mail.sender_id;
  if (mail.appointment_id === null || (kind !== 'expired' && kind !== 'reminder')) return own;
  // The sender who caused the first mail about the appointment has typed the client's address.
  const first = await database
    .selectFrom('mails')
    .select('source')
    .where('appointment_id', '=', mail.appointment_id)
    .orderBy('position')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return first?.source ?? own;
}

/**
 * Merges the mails that waited for this mailbox into one; drops those that are not worth sending.
 * @returns the merged ones
 */
async function mergeDueMails(
  transaction: Transaction,
  mail: mails.MailToSend,
  mailbox: string,
  now: Instant,
): Promise<readonly CheckedMail[]> {
  const locked: mails.MailToSend[] = [];
  for (const due of await waits.listDueMails(transaction, mail, mailbox, now)) {
    const mergeable = await lockToMerge(transaction, due, mail);
    if (mergeable) locked.push(mergeable);
  }
  const included: CheckedMail[] = [];
  for (const checked of await loadMailChecks(transaction, locked)) {
    if (waitsForUndo(checked, now)) continue;
    const current = await updateFacts(transaction, checked, now);
    if (!(await dropOutdated(transaction, current, now))) included.push(current);
  }
  const ids = included.map((one) => one.mail.id);
  await waits.mergeMails(transaction, ids, mail.id);
  return included;
}

/**
 * Locks the thread of a mail that is to be merged into another, so that no job sends it.
 * @returns the mail; undefined if it cannot be merged: its thread is that of the other mail, or has more mails, or
 *   a job has it
 */
async function lockToMerge(
  transaction: Transaction,
  due: mails.MailToSend,
  into: mails.MailToSend,
): Promise<mails.MailToSend | undefined> {
  if (due.thread !== null && due.thread === into.thread) return undefined;
  // If another transaction has the lock, the mail is sent on its own.
  const [only, another] = await mails.tryLockThread(transaction, due);
  if (only?.id !== due.id || another) return undefined;
  const isFree = only.merged_into === null && only.claimed_by === null;
  return isFree ? only : undefined;
}

/** Whether a mail about an appointment waits while its artist can undo a change of the studio. */
export function waitsForUndo({ mail, undoUntil }: CheckedMail, now: Instant): boolean {
  return isWaiting({ ...mail, waits_until: undoUntil }, now);
}

/** Whether a mail waits, and the task of every minute that wakes mails has not woken it. */
export function isWaiting(
  { waits_until, woken_at }: Pick<mails.MailToSend, 'waits_until' | 'woken_at'>,
  now: Instant,
): boolean {
  if (waits_until === null || waits_until.getTime() <= now) return false;
  // The mail was woken by the database's clock, which may be ahead of `now`.
  return woken_at === null || woken_at < waits_until;
}

/** When a mail with the link that proves an artist's email could be sent; null for now. */
export async function findEmailProofWait(
  { database, hasLimitsPerTime }: Pick<Context, 'database' | 'hasLimitsPerTime'>,
  artist: { readonly id: string; readonly email: string },
  now: Instant,
): Promise<Instant | null> {
  if (!hasLimitsPerTime) return null;
  const mail = {
    // Nothing is stored.
    mailId: '',
    mailbox: hashMailbox(artist.email),
    source: artist.id,
    senderId: null,
    isLinkNeeded: false,
    isForSafety: true,
  };
  const known = await loadMailboxTrust(database, artist.email, artist.id);
  const limits = mailLimits(mail, { ...known, isArtistProven: false });
  return (await budgets.findMailWait(database, { mail, limits }, now))?.until ?? null;
}
