/**
 * Decides, when the job of a mail runs, whether it sends the mail now (docs/decisions, 0034). All is decided
 * and stored in one transaction with the lock of the mail's thread: the mails about one appointment to one person.
 * The mail is sent after this transaction, without a lock.
 */
import { MAILED_UNDO_MS } from '#domain/mail/mail.ts';
import { planThread, type ThreadMail } from '#domain/mail/mail_plan.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Transaction } from '#server/database/connect.ts';
import { type CheckedMail, loadMailChecks } from '#server/database/mail_checks.ts';
import { updateMailWait } from '#server/database/mail_waits.ts';
import * as mails from '#server/database/mails.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { admitMail, isWaiting, waitsForUndo } from './mail_admission.ts';
import { dropOutdated, updateFacts } from './mail_truth.ts';
import { enqueueMailsAgain } from './notify.ts';

/** A mail that the job has claimed: it must be sent, or released. */
export interface ClaimedMail extends CheckedMail {
  /** The mails whose content this one has: itself, maybe after others. */
  readonly included: readonly CheckedMail[];
}

/**
 * Claims a mail for a job, if it is the mail's turn. Before that, merges older mails of its thread into it. Drops the
 * mail if it was merged into a newer one or is no longer true, and makes it wait for an undo or a budget.
 * @param job identifies the job over all its runs: after a killed run, its claim is still its own
 * @returns null when this job does not send the mail now
 */
export function takeMailTurn(
  context: Context,
  id: string,
  job: string,
  now: Instant,
): Promise<ClaimedMail | null> {
  return change(context, { invalidates: [] }, async (context) => {
    const { database } = context;
    const queued = await mails.lockThread(database, id);
    const own = queued.filter((one) => one.id === id && mayTake(one, job, now));
    const [checked] = await loadMailChecks(database, own);
    if (!checked) return null;
    const { mail, undoUntil } = checked;
    // A mail that this job has claimed may have arrived already: it does not change, and waits only for a budget.
    const isNew = mail.claimed_by === null;
    const moveUndoEnd = isNew ? undoEndOfMove(mail, now) : now;
    // Before mails are merged: an undo of the studio's change drops those about it, and no others.
    if (isNew && undoUntil && waitsForUndo(checked, now)) {
      await storeUndoWait(database, id, Math.max(undoUntil.getTime(), moveUndoEnd));
      return null;
    }
    const current = isNew ? await arrangeThread(context, checked, queued, now) : checked;
    if (current === null) return null;
    if (await dropOutdated(database, current, now)) {
      await enqueueNextMails(context, [mail.thread], id);
      return null;
    }
    // After mails are merged: moves that follow each other are one.
    if (moveUndoEnd > now) {
      await storeUndoWait(database, id, moveUndoEnd);
      return null;
    }
    const included = await admitMail(context, current, now);
    if (included === null) return null;
    await database.updateTable('mails').set({ claimed_by: job }).where('id', '=', id).execute();
    return { ...current, included };
  });
}

function mayTake(mail: mails.MailToSend, job: string, now: Instant): boolean {
  // A merged mail is sent with the other one. After a wait, a task of every minute enqueues its job again.
  if (mail.merged_into !== null || isWaiting(mail, now)) return false;
  // If another job has claimed the mail and fails, that job runs again.
  return mail.claimed_by === null || mail.claimed_by === job;
}

/** Until when a mail about a move waits for its undo by the artist, if it has not waited; else now. */
function undoEndOfMove(mail: mails.MailToSend, now: Instant): Instant {
  const { notice, waits_until, is_resent, created_at } = mail;
  const isMove = 'appointment' in notice && notice.appointment.beforeMove !== undefined;
  if (!isMove || waits_until !== null || is_resent) return now;
  return created_at.getTime() + MAILED_UNDO_MS;
}

/** Makes a mail wait until its artist can no longer undo a change. */
function storeUndoWait(transaction: Transaction, id: string, until: Instant): Promise<void> {
  return updateMailWait(transaction, id, { until, mailbox: null, budget: null });
}

/**
 * Merges older mails of a thread into newer ones, and stores the current facts of these.
 * @returns the mail with its current facts; null if it is not its turn
 */
async function arrangeThread(
  context: InChange<Context>,
  checked: CheckedMail,
  queued: readonly mails.MailToSend[],
  now: Instant,
): Promise<CheckedMail | null> {
  const { database } = context;
  const { mail } = checked;
  if (!('appointment' in mail.notice)) return updateFacts(database, checked, now);
  const { toSend, toDrop } = planThread(await toThreadMails(database, queued));
  // Dropped mails will not be sent, so they do not count for the budgets.
  if (toDrop.length > 0)
    await database.deleteFrom('counted_mails').where('mail_id', 'in', toDrop).execute();
  await mails.dropMails(database, toDrop);
  // The plan has another object where the facts of a mail have changed.
  for (const { id, notice, isClaimed } of toSend)
    if (!isClaimed && queued.some((one) => one.id === id && one.notice !== notice))
      await mails.updateNotice(database, id, notice);
  const [first] = toSend;
  if (first?.id === mail.id) {
    const planned = { ...checked, mail: { ...mail, notice: first.notice } };
    return updateFacts(database, planned, now);
  }
  // Another job for the mail that goes first: the next attempt of its own job may be minutes away.
  if (first && toDrop.includes(mail.id)) await enqueueMailsAgain(context, [first.id]);
  return null;
}

async function toThreadMails(
  transaction: Transaction,
  queued: readonly mails.MailToSend[],
): Promise<ThreadMail[]> {
  const mergedInto = queued.flatMap((one) => one.merged_into ?? []);
  const claimedIds = await mails.listClaimedIds(transaction, mergedInto);
  return queued.flatMap(({ id, notice, claimed_by, merged_into }) => {
    const isSentWithOther = merged_into !== null && claimedIds.has(merged_into);
    const isClaimed = claimed_by !== null || isSentWithOther;
    return 'appointment' in notice ? [{ id, notice, isClaimed }] : [];
  });
}

/**
 * Enqueues the next mails of threads of which a mail has ended, or lost its claim. Their own jobs ended
 * when it was not their turn.
 */
export async function enqueueNextMails(
  context: InChange<Pick<Context, 'jobs'>>,
  threads: readonly (string | null)[],
  endedId: string,
): Promise<void> {
  const next = await mails.listSendableMails(context.database, threads);
  const others = next.filter((id) => id !== endedId);
  await enqueueMailsAgain(context, others);
}
