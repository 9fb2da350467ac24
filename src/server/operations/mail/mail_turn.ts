/**
 * Decides, when the job of a mail runs, whether it sends the mail now (docs/decisions, 0034). All is decided
 * and stored in one transaction with the lock of the mail's thread: the mails about one appointment to one person.
 * The mail is sent after this transaction, without a lock.
 */
import { sql } from 'kysely';
import { MAILED_UNDO_MS } from '#domain/mail/mail.ts';
import { planThread, type ThreadMail } from '#domain/mail/mail_plan.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Transaction } from '#server/database/connect.ts';
import { type CheckedMail, loadMailChecks } from '#server/database/mail_checks.ts';
import { updateMailWait } from '#server/database/mail_waits.ts';
import * as mails from '#server/database/mails.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { admitMail, isWaiting, lockBudgets, waitsForUndo } from './mail_admission.ts';
import { dropOutdated, updateFacts } from './mail_truth.ts';
import { enqueueMailsAgain } from './notify.ts';

/** A mail that the job has claimed: it must be sent, or released. */
export interface ClaimedMail extends CheckedMail {
  /** The mails whose content this one has: itself, maybe after others. */
  readonly included: readonly CheckedMail[];
}

/** A job that sends a mail. */
export interface MailJob {
  /** The id of the mail. */
  readonly id: string;
  /** Identifies the job over all its runs: after a killed run, its claim is still its own. */
  readonly job: string;
  readonly now: Instant;
}

/**
 * Claims mails for jobs, each if it is the mail's turn. Before that, merges older mails of its thread into it. Drops
 * the mail if it was merged into a newer one or is no longer true, and makes it wait for an undo or a budget.
 * @returns the claimed mails by their jobs; null for a job that does not send its mail now. Of several jobs, some may
 *   be missing, with which nothing was done: call it for each of them alone
 */
export function takeMailTurns(
  context: Context,
  jobs: readonly MailJob[],
): Promise<ReadonlyMap<MailJob, ClaimedMail | null>> {
  return change(context, { invalidates: [] }, async (context) => {
    const { database } = context;
    const ids = jobs.map(({ id }) => id);
    const threads = Map.groupBy(await mails.lockThreads(database, ids), mails.threadOf);
    const turns = new Map<MailJob, ClaimedMail | null>();
    /** By the threads of their mails. */
    const chosen = new Map<string, { readonly job: MailJob; readonly mail: mails.MailToSend }>();
    for (const job of jobs) {
      const mail = [...threads.values()].flat().find(({ id }) => id === job.id);
      if (mail === undefined || !mayTake(mail, job)) turns.set(job, null);
      else if (jobs.length === 1 || (isFirstAttempt(mail) && !chosen.has(mails.threadOf(mail))))
        chosen.set(mails.threadOf(mail), { job, mail });
    }
    const checks = await loadMailChecks(
      database,
      [...chosen.values()].map(({ mail }) => mail),
    );
    await lockBudgets(context, checks);
    const arranged: (ArrangedTurn & { readonly job: MailJob; readonly undoEnd: Instant })[] = [];
    for (const checked of checks) {
      const thread = mails.threadOf(checked.mail);
      const job = chosen.get(thread)?.job;
      if (!job) continue;
      const turn = await arrangeTurn(context, checked, threads.get(thread) ?? [], job.now);
      arranged.push({ ...turn, job, undoEnd: undoEndOfMove(checked.mail, job.now) });
    }
    await dropMerged(
      database,
      arranged.flatMap(({ toDrop }) => toDrop),
    );
    for (const { job, current, undoEnd } of arranged)
      turns.set(job, current && (await admitTurn(context, current, undoEnd, job.now)));
    const claims = [...turns].flatMap(([{ id, job }, claimed]) => (claimed ? { id, job } : []));
    await mails.claimMails(database, claims);
    return turns;
  });
}

/**
 * Whether a mail was never tried and never waited. Only such mails of different threads are claimed together: nothing
 * is merged into them yet, and none of them can be merged into another one.
 */
function isFirstAttempt({ claimed_by, waits_until, failure }: mails.MailToSend): boolean {
  return claimed_by === null && waits_until === null && failure === null;
}

/** A thread of mails in order. */
interface ArrangedTurn {
  /** The mail with its current facts; null if it is not sent now. */
  readonly current: CheckedMail | null;
  /** The ids of the mails that were merged into others, or are no longer true. */
  readonly toDrop: readonly string[];
}

/**
 * Makes a mail wait for an undo, or merges older mails into it.
 * @param queued the queued mails of its thread
 */
async function arrangeTurn(
  context: InChange<Context>,
  checked: CheckedMail,
  queued: readonly mails.MailToSend[],
  now: Instant,
): Promise<ArrangedTurn> {
  const { mail, undoUntil } = checked;
  // A mail that this job has claimed may have arrived already: it does not change, and waits only for a budget.
  if (mail.claimed_by !== null) return { current: checked, toDrop: [] };
  // Before mails are merged: an undo of the studio's change drops those about it, and no others.
  if (undoUntil && waitsForUndo(checked, now)) {
    const until = Math.max(undoUntil.getTime(), undoEndOfMove(mail, now));
    await storeUndoWait(context.database, mail.id, until);
    return { current: null, toDrop: [] };
  }
  return arrangeThread(context, checked, queued, now);
}

/** Drops mails that are not sent on their own, so that they do not count for the budgets. */
async function dropMerged(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`DELETE FROM counted_mails WHERE mail_id = any(${ids}::uuid[])`.execute(transaction);
  await mails.dropMails(transaction, ids);
}

/**
 * Drops a mail that is no longer true, or lets it be sent.
 * @param undoEnd until when it waits if it is about a move
 * @returns null when it is not sent now
 */
async function admitTurn(
  context: InChange<Context>,
  current: CheckedMail,
  undoEnd: Instant,
  now: Instant,
): Promise<ClaimedMail | null> {
  const { database } = context;
  const { mail } = current;
  if (await dropOutdated(database, current, now)) {
    await enqueueNextMails(context, [mail.thread]);
    return null;
  }
  // After mails are merged: moves that follow each other are one.
  if (undoEnd > now) {
    await storeUndoWait(database, mail.id, undoEnd);
    return null;
  }
  const included = await admitMail(context, current, now);
  return included && { ...current, included };
}

function mayTake(mail: mails.MailToSend, { job, now }: MailJob): boolean {
  // A merged mail is sent with the other one. After a wait, a task of every minute enqueues its job again.
  if (mail.merged_into !== null || isWaiting(mail, now)) return false;
  // If another job has claimed the mail and fails, that job runs again.
  return mail.claimed_by === null || mail.claimed_by === job;
}

/** Until when a mail about a move waits for its undo by the artist, if it has not waited and is not claimed; else now. */
function undoEndOfMove(mail: mails.MailToSend, now: Instant): Instant {
  const { notice, waits_until, is_resent, created_at, claimed_by } = mail;
  const isMove = 'appointment' in notice && notice.appointment.beforeMove !== undefined;
  if (!isMove || waits_until !== null || is_resent || claimed_by !== null) return now;
  return created_at.getTime() + MAILED_UNDO_MS;
}

/** Makes a mail wait until its artist can no longer undo a change. */
function storeUndoWait(transaction: Transaction, id: string, until: Instant): Promise<void> {
  return updateMailWait(transaction, id, { until, mailbox: null, budget: null });
}

/** Merges older mails of a thread into newer ones, and stores the current facts of these. */
async function arrangeThread(
  context: InChange<Context>,
  checked: CheckedMail,
  queued: readonly mails.MailToSend[],
  now: Instant,
): Promise<ArrangedTurn> {
  const { database } = context;
  const { mail } = checked;
  if (!('appointment' in mail.notice))
    return { current: await updateFacts(database, checked, now), toDrop: [] };
  const { toSend, toDrop } = planThread(await toThreadMails(database, queued));
  // The plan has another object where the facts of a mail have changed.
  for (const { id, notice, isClaimed } of toSend)
    if (!isClaimed && queued.some((one) => one.id === id && one.notice !== notice))
      await mails.updateNotice(database, id, notice);
  const [first] = toSend;
  if (first?.id === mail.id) {
    const planned = { ...checked, mail: { ...mail, notice: first.notice } };
    return { current: await updateFacts(database, planned, now), toDrop };
  }
  // Another job for the mail that goes first: the next attempt of its own job may be minutes away.
  if (first && toDrop.includes(mail.id)) await enqueueMailsAgain(context, [first.id]);
  return { current: null, toDrop };
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
 * @param releasedId the mail that lost its claim, whose own job runs again
 */
export async function enqueueNextMails(
  context: InChange<Pick<Context, 'jobs'>>,
  threads: readonly (string | null)[],
  releasedId?: string,
): Promise<void> {
  const next = await mails.listSendableMails(context.database, threads);
  const others = next.filter((id) => id !== releasedId);
  await enqueueMailsAgain(context, others);
}
