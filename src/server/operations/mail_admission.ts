import { isToClient } from '#domain/mail.ts';
import {
  isSafetyKind,
  isUnlimited,
  type MailTrust,
  mailLimits,
  mergeableKinds,
  needsLink,
  waysToCount,
} from '#domain/mail_budget.ts';
import { toMailbox } from '#domain/mailbox.ts';
import type { Instant } from '#domain/time.ts';
import { takeLockOn, tryLockOn } from '#server/database/advisory_lock.ts';
import type { Database } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { findMailPeople, loadMailChecks } from '#server/database/mail_checks.ts';
import * as waits from '#server/database/mail_waits.ts';
import { loadMailboxTrust } from '#server/database/mailboxes.ts';
import * as mails from '#server/database/mails.ts';
import type { Context } from './context.ts';
import { updateFacts } from './current_facts.ts';
import { findDrop } from './mail_drop.ts';

/** At most this many waiting mails are merged into one; the others wait for the next. */
const MAX_MERGED = 50;

/** Whether a mail may be sent now; a refused one waits for its budget. */
type Admission =
  | { readonly kind: 'send'; readonly included: readonly waits.MergedMail[] }
  | ({ readonly kind: 'wait' } & waits.MailWait);

/** What is known about the people of a mail when it is sent. */
export interface MailPeople extends MailTrust {
  /** The artist's id, also of a deleted account. */
  readonly senderId: string;
  /** The email of the artist that clients see now, if the artist is proven. */
  readonly shownArtistEmail: string | null;
  /** The picture of the artist's page. */
  readonly avatar: { readonly id: string; readonly username: string } | null;
  /** Whether the recipient has used the mailed link of the mail's appointment. */
  readonly isAppointmentProven: boolean;
  /** Whether only the mailed link confirms the appointment. */
  readonly mustProveEmail: boolean;
}

/** Loads what is known about the recipient and the artist of a mail. */
export async function loadMailPeople(
  database: Database,
  mail: waits.MergedMail,
): Promise<MailPeople> {
  const { sender, appointment, ...trust } = await findMailPeople(database, mail);
  const { avatar_id: avatarId, username } = sender;
  return {
    ...trust,
    senderId: mail.sender_id,
    // A proven artist may want an email that is a stranger's.
    isArtistProven:
      sender.isProven && (mail.notice.kind !== 'prove_email' || mail.address === sender.email),
    shownArtistEmail: sender.isProven ? sender.publicEmail : null,
    avatar: avatarId === null ? null : { id: avatarId, username },
    isAppointmentProven:
      appointment?.mail_link_used === true &&
      appointment.email !== null &&
      toMailbox(appointment.email) === toMailbox(mail.address),
    mustProveEmail: appointment?.must_prove_email === true,
  };
}

/**
 * Decides whether a mail may be sent now. If a budget is used up, the mail waits. If not, the mail
 * is counted, once for all attempts to send it, and also includes the mails that waited for the same
 * mailbox. Call it with the lock of the mail's thread.
 * @returns `included`: the mails that one mail tells, the newest last
 */
export async function admitMail(
  { database, hasLimitsPerTime }: Pick<Context, 'database' | 'hasLimitsPerTime'>,
  mail: mails.MailToSend,
  people: MailPeople,
  now: Instant,
): Promise<Admission> {
  const { kind } = mail.notice;
  if (!hasLimitsPerTime || isUnlimited(kind, people)) return { kind: 'send', included: [mail] };
  const mailbox = hashMailbox(mail.address);
  await takeLockOn(database, 'artistBudget', people.senderId);
  await takeLockOn(database, 'mailboxBudget', mailbox);
  const earlier = database.selectFrom('counted_mails').where('mail_id', '=', mail.id);
  if (await hasRow(earlier.select('mail_id')))
    return {
      kind: 'send',
      included: [...(await waits.listMergedMails(database, mail.id)), mail],
    };
  const counted = {
    mailId: mail.id,
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
      const merged = await mergeDueMails(database, mail, mailbox, now);
      return { kind: 'send', included: [...merged, mail] };
    }
    mailWaits.push(wait);
  }
  const soonest = mailWaits.reduce((a, b) => (b.until < a.until ? b : a));
  return { kind: 'wait', mailbox, ...soonest };
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
  const trust = {
    ...(await loadMailboxTrust(database, artist.email, artist.id)),
    isArtistProven: false,
  };
  const way = { mail, limits: mailLimits(mail, trust) };
  return (await budgets.findMailWait(database, way, now))?.until ?? null;
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
): Promise<readonly waits.MergedMail[]> {
  const kinds = mergeableKinds(mail.notice.kind);
  if (kinds.length === 0) return [];
  const wanted = { exceptId: mail.id, mailbox, kinds, limit: MAX_MERGED };
  const due = await waits.listDueMails(transaction, wanted, now);
  const included: waits.MergedMail[] = [];
  for (const waiting of due) {
    if (!(await canBeMerged(transaction, waiting, mail))) continue;
    const other = await updateFacts(transaction, waiting, now);
    const checks = await loadMailChecks(transaction, other);
    if (isWaiting({ waits_until: checks.undoUntil, woken_at: null }, now)) continue;
    const drop = await findDrop(transaction, { ...other, claimed_by: null }, checks, now);
    if (drop) await mails.dropMails(transaction, [other.id], drop.reason);
    else included.push(other);
  }
  const mergedIds = included.map(({ id }) => id);
  await waits.mergeMails(transaction, mergedIds, mail.id);
  return included;
}

/** Whether a mail is the only one of its thread, another one than `mail`'s, and no job sends it. */
async function canBeMerged(
  transaction: Database,
  other: waits.MergedMail,
  mail: mails.MailToSend,
): Promise<boolean> {
  if (other.thread !== null && other.thread === mail.thread) return false;
  // If another transaction has the lock, the other mail is sent on its own.
  if (!(await tryLockOn(transaction, 'mailThread', other.thread ?? other.id))) return false;
  const [current, next] = await mails.listQueuedMails(transaction, other);
  if (current?.id !== other.id || next !== undefined) return false;
  return current.merged_into === null && current.claimed_by === null;
}
