/** Decides which mail of a thread is sent next, and claims it for one job (docs/decisions, 0034). */
import { randomUUID } from 'node:crypto';
import { MAILED_UNDO_MS, type MailData } from '#domain/mail.ts';
import { planThread, type ThreadMail } from '#domain/mail_plan.ts';
import type { Instant } from '#domain/time.ts';
import { takeLockOn } from '#server/database/advisory_lock.ts';
import type { Database } from '#server/database/connect.ts';
import { loadMailChecks, type MailChecks } from '#server/database/mail_checks.ts';
import { type MailWait, type MergedMail, updateMailWait } from '#server/database/mail_waits.ts';
import * as mails from '#server/database/mails.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { updateFacts } from './current_facts.ts';
import { admitMail, isWaiting, loadMailPeople, type MailPeople } from './mail_admission.ts';
import { type Drop, findDrop } from './mail_drop.ts';

/** A mail that the job has claimed: it must be sent, or released. */
export interface ClaimedMail {
  readonly mail: mails.MailToSend;
  /** The mails whose content this one has: `mail`, maybe after others. */
  readonly included: readonly MergedMail[];
  readonly people: MailPeople;
  /** Whether an earlier mail brought the calendar entry to this address. */
  readonly isInCalendar: boolean;
}

/** What becomes of a mail when its job runs. */
type Turn =
  | ({ readonly kind: 'send' } & ClaimedMail)
  | ({ readonly kind: 'wait' } & MailWait)
  | Drop
  /**
   * There is nothing to do for this job: the mail has ended or waits, another job sends it, or an older mail
   * goes first, whose end enqueues the next ones (`enqueueNextMails`).
   */
  | { readonly kind: 'other_job' };

const OTHER_JOB: Turn = { kind: 'other_job' };

/**
 * Claims a mail for a job, if it is the mail's turn. Before that, merges older mails of its thread into
 * it, or drops it if a newer one tells its content.
 * @param job identifies the job over all its runs: after a killed run, its claim is still its own
 */
export function takeMailTurn(
  context: Context,
  id: string,
  job: string,
  now: Instant,
): Promise<Turn> {
  return change(context, { invalidates: [] }, async (context) => {
    const { database } = context;
    const turn = await decideTurn(context, { id, job }, now);
    if (turn.kind === 'send')
      await database.updateTable('mails').set({ claimed_by: job }).where('id', '=', id).execute();
    if (turn.kind === 'wait') await updateMailWait(database, id, turn);
    if (turn.kind === 'drop') {
      await mails.dropMails(database, [id], turn.reason);
      await enqueueNextMails(context, [turn.thread], id);
    }
    return turn;
  });
}

async function decideTurn(
  context: Context,
  { id, job }: { readonly id: string; readonly job: string },
  now: Instant,
): Promise<Turn> {
  const { database } = context;
  const found = await mails.findMail(database, id);
  if (found?.status !== 'queued') return OTHER_JOB;
  await takeLockOn(database, 'mailThread', found.thread ?? id);
  // Read again under the lock.
  const queued = await mails.listQueuedMails(database, found);
  const mail = queued.find((one) => one.id === id);
  // Another mail tells it, or the minutely tasks enqueue another job after the wait.
  if (!mail || mail.merged_into !== null || isWaiting(mail, now)) return OTHER_JOB;
  // If the job that has claimed it fails, that job runs again.
  if (mail.claimed_by !== null && mail.claimed_by !== job) return OTHER_JOB;
  // It may have arrived already: it does not change.
  if (mail.claimed_by === job) return judgeMail(context, mail, now, now);
  // Before `arrangeThread`, which may turn the mail about a move into that about an earlier booking.
  const waitEnd = undoEndOfMove(mail) ?? now;
  // Before mails are merged: an undo drops those about the change, and no others.
  const undoEnd =
    'appointment' in mail.notice
      ? undoEndOfStudioChange(mail, await loadMailChecks(database, mail), now)
      : null;
  if (undoEnd !== null) return waitUntil(Math.max(undoEnd, waitEnd));
  const notice = await arrangeThread(context, mail, queued);
  if (notice === null) return OTHER_JOB;
  const current = await updateFacts(database, { ...mail, notice }, now);
  return judgeMail(context, current, waitEnd, now);
}

/** Drops a mail whose turn has come, makes it wait, or gets it ready to be sent. */
async function judgeMail(
  context: Context,
  mail: mails.MailToSend,
  waitEnd: Instant,
  now: Instant,
): Promise<Turn> {
  const { database } = context;
  // After the facts: so a change of the studio that commits in between makes the mail wait.
  const checks = await loadMailChecks(database, mail);
  const drop = await findDrop(database, mail, checks, now);
  if (drop) return drop;
  // One that may have arrived waits only for a budget.
  if (mail.claimed_by === null) {
    const until = Math.max(waitEnd, undoEndOfStudioChange(mail, checks, now) ?? now);
    if (until > now) return waitUntil(until);
  }
  const people = await loadMailPeople(database, mail);
  const admission = await admitMail(context, mail, people, now);
  if (admission.kind === 'wait') return admission;
  const isInCalendar = mail.was_in_calendar === true || checks.isInCalendar;
  return { ...admission, mail, people, isInCalendar };
}

/**
 * Enqueues the next mails of threads of which a mail has ended, or lost its claim. Their own jobs ended
 * when it was not their turn.
 */
export async function enqueueNextMails(
  { database, jobs }: Pick<Context, 'database' | 'jobs'>,
  threads: readonly (string | null)[],
  endedId: string,
): Promise<void> {
  const next = await mails.listSendableMails(database, threads);
  await jobs.enqueue(
    database,
    next
      .filter((id) => id !== endedId)
      .map((id) => ({ kind: 'mail', id, job: randomUUID() }) as const),
  );
}

/**
 * Applies the plan of a thread.
 * @returns what the mail tells now; null if it is not its turn
 */
async function arrangeThread(
  { database, jobs }: Context,
  mail: mails.MailToSend,
  queued: readonly mails.MailToSend[],
): Promise<MailData | null> {
  if (!('appointment' in mail.notice)) return mail.notice;
  const { toSend, toDrop } = planThread(await toThreadMails(database, queued));
  // They will not be sent, so they do not count.
  if (toDrop.length > 0)
    await database.deleteFrom('counted_mails').where('mail_id', 'in', toDrop).execute();
  await mails.dropMails(database, toDrop);
  // The plan has another object where a mail tells something else now.
  for (const { id, notice, isClaimed } of toSend)
    if (!isClaimed && queued.some((one) => one.id === id && one.notice !== notice))
      await mails.updateNotice(database, id, notice);
  const [first] = toSend;
  if (first?.id === mail.id) return first.notice;
  // The next attempt of its own job may be minutes away.
  if (first && toDrop.includes(mail.id))
    await jobs.enqueue(database, [{ kind: 'mail', id: first.id, job: randomUUID() }]);
  return null;
}

async function toThreadMails(
  transaction: Database,
  queued: readonly mails.MailToSend[],
): Promise<ThreadMail[]> {
  const mergedInto = queued.flatMap((one) => one.merged_into ?? []);
  const claimedIds = await mails.listClaimedIds(transaction, mergedInto);
  return queued.flatMap(({ id, notice, claimed_by, merged_into }) => {
    const isClaimed = claimed_by !== null || claimedIds.has(merged_into ?? '');
    return 'appointment' in notice ? [{ id, notice, isClaimed }] : [];
  });
}

/**
 * Until when a mail about an appointment waits, because a change of its artist's studio can be undone: an
 * undo that mails nobody must leave no client with a wrong address or time. Null for no wait.
 */
function undoEndOfStudioChange(
  mail: mails.MailToSend,
  { undoUntil }: MailChecks,
  now: Instant,
): Instant | null {
  return isWaiting({ ...mail, waits_until: undoUntil }, now) ? Number(undoUntil) : null;
}

/** Until when a new mail about a move waits for its undo by the artist; null for any other mail. */
function undoEndOfMove(mail: mails.MailToSend): Instant | null {
  const isMove = 'appointment' in mail.notice && mail.notice.appointment.beforeMove !== undefined;
  const isNew = mail.waits_until === null && !mail.is_resent;
  return isMove && isNew ? mail.created_at.getTime() + MAILED_UNDO_MS : null;
}

/** A wait for which no budget is the reason. */
function waitUntil(until: Instant): Turn {
  return { kind: 'wait', until, mailbox: null, budget: null };
}
