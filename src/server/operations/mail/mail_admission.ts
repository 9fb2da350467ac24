import { sql } from 'kysely';
import { isToClient, type MailData } from '#domain/mail.ts';
import {
  isSafetyKind,
  isUnlimited,
  mailLimits,
  mergeableKinds,
  needsLink,
  waysToCount,
} from '#domain/mail_budget.ts';
import type { Instant } from '#domain/time.ts';
import { lockOn } from '#server/database/advisory_lock.ts';
import type { Database } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { loadMailChecks, type MailChecks, type MailPeople } from '#server/database/mail_checks.ts';
import * as waits from '#server/database/mail_waits.ts';
import { loadMailboxTrust } from '#server/database/mailboxes.ts';
import * as mails from '#server/database/mails.ts';
import type { Context } from '../context.ts';
import { findDrop, updateFacts } from './mail_truth.ts';

/** At most this many waiting mails are merged into one; the others wait for the next. */
const MAX_MERGED = 50;

/** One of the things that a mail tells: its own, or that of a mail that is merged into it. */
export interface IncludedMail {
  readonly id: string;
  readonly notice: MailData;
  readonly people: MailPeople;
}

/**
 * Lets a mail be sent, or makes it wait if a budget is used up. One that may be sent is counted, once for all
 * attempts to send it, and includes the mails that waited for the same mailbox. Call it with the lock of the
 * mail's thread.
 * @returns all that the mail tells, the newest last; null if it waits
 */
export async function admitMail(
  { database, hasLimitsPerTime }: Pick<Context, 'database' | 'hasLimitsPerTime'>,
  mail: mails.MailToSend,
  { people, isCounted }: MailChecks,
  now: Instant,
): Promise<readonly IncludedMail[] | null> {
  const { id, notice } = mail;
  const { kind } = notice;
  const own = { id, notice, people };
  if (!hasLimitsPerTime || isUnlimited(kind, people)) return [own];
  if (isCounted) return [...(await loadMergedMails(database, id)), own];
  const mailbox = hashMailbox(mail.address);
  // PostgreSQL takes them in this order, so that no two transactions wait for each other.
  const locks = [lockOn('artistBudget', people.senderId), lockOn('mailboxBudget', mailbox)];
  await sql`SELECT ${sql.join(locks)}`.execute(database);
  const counted = {
    mailId: id,
    mailbox,
    source: await findSource(database, mail),
    senderId: isToClient(kind) ? people.senderId : null,
    isLinkNeeded: needsLink(kind, people.mustProveEmail),
    isForSafety: isSafetyKind(kind),
  };
  const mailWaits = [];
  for (const way of waysToCount(kind, counted, people)) {
    const wait = await budgets.findMailWait(database, way, now);
    if (!wait) {
      await budgets.insertCountedMail(database, way.mail, now);
      return [...(await mergeDueMails(database, mail, mailbox, now)), own];
    }
    mailWaits.push(wait);
  }
  const soonest = mailWaits.reduce((a, b) => (b.until < a.until ? b : a));
  await waits.updateMailWait(database, id, { mailbox, ...soonest });
  return null;
}

/** Loads what an earlier attempt to send a mail has merged into it. */
async function loadMergedMails(transaction: Database, intoId: string): Promise<IncludedMail[]> {
  const included: IncludedMail[] = [];
  for (const merged of await waits.listMergedMails(transaction, intoId)) {
    const { people } = await loadMailChecks(transaction, merged);
    included.push({ id: merged.id, notice: merged.notice, people });
  }
  return included;
}

/** Who caused a mail. An expiry or a reminder counts for the network that typed the address. */
async function findSource(database: Database, mail: mails.MailToSend): Promise<string> {
  const { kind } = mail.notice;
  const own = mail.source ?? mail.sender_id;
  if (mail.appointment_id === null || (kind !== 'expired' && kind !== 'reminder')) return own;
  // Who caused the first mail about the appointment has typed the client's address.
  const first = await database
    .selectFrom('mails')
    .select('source')
    .where('appointment_id', '=', mail.appointment_id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return first?.source ?? own;
}

/**
 * Merges the mails that waited for this mailbox into one; drops those that are not worth sending.
 * @returns the merged ones
 */
async function mergeDueMails(
  transaction: Database,
  mail: mails.MailToSend,
  mailbox: string,
  now: Instant,
): Promise<readonly IncludedMail[]> {
  const kinds = mergeableKinds(mail.notice.kind);
  if (kinds.length === 0) return [];
  const wanted = { exceptId: mail.id, mailbox, kinds, limit: MAX_MERGED };
  const included: IncludedMail[] = [];
  for (const due of await waits.listDueMails(transaction, wanted, now)) {
    const waiting = await lockToMerge(transaction, due, mail);
    if (!waiting) continue;
    const checks = await loadMailChecks(transaction, waiting);
    if (isWaiting({ ...waiting, waits_until: checks.undoUntil }, now)) continue;
    const current = await updateFacts(transaction, waiting, checks, now);
    const drop = await findDrop(transaction, current, checks, now);
    if (drop) await mails.dropMails(transaction, [due.id], drop.reason);
    else included.push({ id: due.id, notice: current.notice, people: checks.people });
  }
  const mergedIds = included.map(({ id }) => id);
  await waits.mergeMails(transaction, mergedIds, mail.id);
  return included;
}

/**
 * Locks the thread of a mail that is to be merged into another, so that no job sends it.
 * @returns undefined if it cannot be merged: its thread is that of the other mail, or has more mails, or a job
 *   has it
 */
async function lockToMerge(
  transaction: Database,
  due: mails.MailToSend,
  into: mails.MailToSend,
): Promise<mails.MailToSend | undefined> {
  if (due.thread !== null && due.thread === into.thread) return undefined;
  // If another transaction has the lock, the mail is sent on its own.
  const [waiting, next] = await mails.tryLockThread(transaction, due);
  if (waiting?.id !== due.id || next !== undefined) return undefined;
  return waiting.merged_into === null && waiting.claimed_by === null ? waiting : undefined;
}

/** Whether a mail waits, and the minutely tasks have not woken it. */
export function isWaiting(
  { waits_until, woken_at }: Pick<mails.MailToSend, 'waits_until' | 'woken_at'>,
  now: Instant,
): boolean {
  if (waits_until === null || waits_until.getTime() <= now) return false;
  // Woken by the database's clock, which may be ahead of ours.
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
