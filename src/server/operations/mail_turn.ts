/** Decides which mail of a thread is sent next, and claims it for one job (docs/decisions, 0034). */
import { randomUUID } from 'node:crypto';
import { confirmationWaitEnd, isToClient, type MailData, moveUndoEnd } from '#domain/mail.ts';
import { planThread, type ThreadMail } from '#domain/mail_order.ts';
import type { Instant } from '#domain/time.ts';
import { lockMailThread } from '#server/database/advisory_lock.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { deleteCountedMails } from '#server/database/mail_budgets.ts';
import { updateMailWait } from '#server/database/mail_waits.ts';
import * as mails from '#server/database/mails.ts';
import { findRecoverableArtist } from '#server/database/password_recoveries.ts';
import { findStoppedScope } from '#server/database/stopped_mailboxes.ts';
import { withCurrentLinks } from './appointment_links.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { withCurrentFacts } from './current_facts.ts';
import {
  admitMail,
  isStillTrue,
  loadMailPeople,
  type MailPeople,
  type MergeableMail,
} from './mail_admission.ts';
import { findStudioChangeWait, isWaiting } from './mail_wait.ts';

const STOPPED_FAILURE = 'This person stopped mail to this address.';

/** A mail that the job has claimed: it must be sent, or released. */
export interface ClaimedMail {
  readonly mail: mails.MailToSend;
  /** The mails whose content this one has: `mail`, maybe after others. */
  readonly included: readonly MergeableMail[];
  readonly people: MailPeople;
  /** Whether an earlier mail brought the calendar entry to this address. */
  readonly isInCalendar: boolean;
}

/**
 * `none`: there is nothing to do for this job, because the mail is not sent, another job sends it, or
 * an older mail goes first, whose end enqueues the next ones (`enqueueNextMails`).
 */
type Turn = ClaimedMail | 'none';

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
  return change(context, { lock: 'none', invalidates: [] }, async (transaction) => {
    const found = await mails.findMail(transaction, id);
    // Another run of the job has finished the mail, or the mail was deleted.
    if (found?.status !== 'queued') return 'none';
    await lockMailThread(transaction, found.thread ?? id);
    // Read again under the lock.
    const queued =
      found.thread === null
        ? [await mails.findMail(transaction, id)]
        : await mails.listQueuedMails(transaction, found.thread);
    const mail = queued.find((one) => one?.id === id);
    // Another mail tells it, or the minutely tasks enqueue another job after the wait.
    if (mail?.status !== 'queued' || mail.merged_into !== null || isWaiting(mail, now))
      return 'none';
    if (mail.claimed_by === job) return prepare(context, transaction, mail, now);
    // If the job that has claimed it fails, that job runs again.
    if (mail.claimed_by !== null) return 'none';
    // Before mails are merged: an undo drops those about the change, and no others.
    if (await waitForStudioChange(transaction, mail, now)) return 'none';
    const planned = await arrangeThread(context, transaction, mail, queued);
    if (planned === 'none') return 'none';
    const notice = await withFactsOfNow(transaction, planned, now);
    if (notice !== planned) await mails.updateNotice(transaction, id, notice);
    const turn = await prepare(context, transaction, { ...mail, notice }, now, mail.notice);
    if (turn !== 'none') await mails.claimMail(transaction, id, job);
    return turn;
  });
}

/** What a mail tells, as it is now. */
function withFactsOfNow(
  transaction: Database,
  notice: MailData,
  now: Instant,
): MailData | Promise<MailData> {
  if (notice.kind === 'links') return withCurrentLinks(transaction, notice, now);
  return 'appointment' in notice ? withCurrentFacts(transaction, notice, now) : notice;
}

/**
 * Enqueues the mails that may have waited for one of their threads that ended, or lost its claim. Their
 * own jobs ended when it was not their turn.
 */
export async function enqueueNextMails(
  jobs: Context['jobs'],
  transaction: Database,
  threads: readonly (string | null)[],
  endedId: string,
): Promise<void> {
  const next = await mails.listSendableMails(transaction, threads);
  await jobs.enqueue(
    transaction,
    next
      .filter((id) => id !== endedId)
      .map((id) => ({ kind: 'mail', id, job: randomUUID() }) as const),
  );
}

/**
 * Applies the plan of a thread.
 * @returns what the mail tells now, if it is its turn
 */
async function arrangeThread(
  { jobs }: Context,
  transaction: Database,
  mail: mails.MailToSend,
  queued: readonly (mails.MailToSend | undefined)[],
): Promise<MailData | 'none'> {
  if (!('appointment' in mail.notice)) return mail.notice;
  const { toSend, toDrop } = planThread(await toThreadMails(transaction, queued));
  await deleteCountedMails(transaction, toDrop);
  await mails.dropMails(transaction, toDrop);
  for (const { id, notice, isClaimed } of toSend)
    if (!isClaimed && queued.some((one) => one?.id === id && one.notice !== notice))
      await mails.updateNotice(transaction, id, notice);
  const [first] = toSend;
  if (first === undefined) return 'none';
  if (first.id !== mail.id) {
    // The next attempt of its own job may be minutes away.
    if (toDrop.includes(mail.id))
      await jobs.enqueue(transaction, [{ kind: 'mail', id: first.id, job: randomUUID() }]);
    return 'none';
  }
  return first.notice;
}

async function toThreadMails(
  transaction: Database,
  queued: readonly (mails.MailToSend | undefined)[],
): Promise<ThreadMail[]> {
  const mergedInto = queued.flatMap((one) => one?.merged_into ?? []);
  const claimedIds = await mails.listClaimedIds(transaction, mergedInto);
  return queued.flatMap((one) =>
    one && 'appointment' in one.notice
      ? [
          {
            id: one.id,
            notice: one.notice,
            isClaimed: one.claimed_by !== null || claimedIds.has(one.merged_into ?? ''),
          },
        ]
      : [],
  );
}

/**
 * Drops the mail, makes it wait, or gets it ready to be sent.
 * @param queuedNotice what it reported before older mails were merged into it
 */
async function prepare(
  { hasLimitsPerTime, jobs }: Context,
  transaction: Database,
  mail: mails.MailToSend,
  now: Instant,
  queuedNotice: MailData = mail.notice,
): Promise<ClaimedMail | 'none'> {
  const drop = async (reason: string | null) => {
    await mails.dropMails(transaction, [mail.id], reason);
    await enqueueNextMails(jobs, transaction, [mail.thread], mail.id);
  };
  if (!(await isWorthSending(transaction, mail, now))) {
    await drop(null);
    return 'none';
  }
  const people = await loadMailPeople(transaction, mail);
  if (await isStopped(transaction, mail, people)) {
    await drop(STOPPED_FAILURE);
    return 'none';
  }
  // It may have arrived already.
  const canWait = mail.claimed_by === null;
  if (canWait && (await waitForStudioChange(transaction, mail, now))) return 'none';
  const waitEnd = findWaitEnd({ ...mail, notice: queuedNotice }, people) ?? now;
  if (canWait && waitEnd > now) {
    await updateMailWait(transaction, mail.id, waitUntil(waitEnd));
    return 'none';
  }
  const included = await admitMail(transaction, mail, people, { hasLimitsPerTime, now });
  if (included === null) return 'none';
  return { mail, included, people, isInCalendar: await mails.isInCalendar(transaction, mail) };
}

/** Lets a mail wait while a change of its artist's studio can be undone. @returns whether it waits */
async function waitForStudioChange(
  transaction: Database,
  mail: mails.MailToSend,
  now: Instant,
): Promise<boolean> {
  const undoEnd = await findStudioChangeWait(transaction, mail, now);
  if (undoEnd === null) return false;
  const people = await loadMailPeople(transaction, mail);
  const until = Math.max(undoEnd, findWaitEnd(mail, people) ?? now);
  await updateMailWait(transaction, mail.id, waitUntil(until));
  return true;
}

/** A wait for which no budget is the reason. */
function waitUntil(until: Instant) {
  return { until, mailbox: null, budget: null };
}

/**
 * Until when a mail waits because its client may be about to confirm on the page, or because the artist
 * can undo the move that it tells.
 */
function findWaitEnd(
  { notice, created_at, is_resent, waits_until }: mails.MailToSend,
  { mustProveEmail }: MailPeople,
): Instant | null {
  const hasWaited = waits_until !== null;
  if (hasWaited || is_resent) return null;
  const createdAt = created_at.getTime();
  const undoEnd = moveUndoEnd(notice, createdAt);
  if (undoEnd !== null || mustProveEmail) return undoEnd;
  return confirmationWaitEnd(notice, createdAt);
}

/** Whether the recipient, a client, wants no mail of this artist, or of any. */
async function isStopped(
  database: Database,
  { notice, address }: mails.MailToSend,
  { senderId }: MailPeople,
): Promise<boolean> {
  if (!isToClient(notice.kind)) return false;
  return (await findStoppedScope(database, hashMailbox(address), senderId)) !== null;
}

/**
 * False for a mail about an appointment that is no longer true, and for a mail with a link of the
 * account to an address that the artist no longer has. A mail that may have arrived already is sent
 * again even if it is no longer true, unless it is a reminder: newer mails correct it.
 */
async function isWorthSending(
  database: Database,
  { notice, address, claimed_by }: mails.MailToSend,
  now: Instant,
): Promise<boolean> {
  if (notice.kind === 'prove_email') {
    const artist = await findArtistById(database, notice.artist.id);
    if (artist?.pending_email === address) return true;
    return artist?.email === address && artist.email_proven_at === null;
  }
  if (notice.kind === 'links') return notice.appointments.length > 0;
  if (notice.kind === 'password_recovery')
    return (await findRecoverableArtist(database, address))?.id === notice.artist.id;
  if (claimed_by !== null && notice.kind !== 'reminder') return true;
  return isStillTrue(database, notice, now);
}
