/**
 * Which limits a mail must fit into. They limit the mails that one person causes to the address of another, so
 * that nobody can flood a mailbox or keep its owner from getting mails. `MAIL_LIMITS` lists the counts.
 */
import type { CountedMail, MailLimitName } from '../requests/limits.ts';
import { ARTIST_MAIL_KINDS, CLIENT_MAIL_KINDS, type MailKind, SAFETY_MAIL_KINDS } from './mail.ts';

export interface MailTrust {
  /** Whether the artist of the mail has used a mailed link. The mail goes to the artist or to their client. */
  readonly isArtistProven: boolean;
  /** Whether the recipient has used a mailed link, of any artist. */
  readonly isMailboxProven: boolean;
  /** Whether the recipient has used a mailed link of this artist. */
  readonly isKnownToArtist: boolean;
  /** Whether an account has the recipient's email, and has not proven it. */
  readonly isOfUnprovenAccount: boolean;
}

/** Whether a client needs the link of a mail: only it confirms the appointment, or they asked for it. */
export function needsLink(kind: MailKind, mustProveEmail: boolean): boolean {
  return kind === 'links' || (mustProveEmail && (kind === 'hold' || kind === 'offer'));
}

const SAFETY_KINDS: ReadonlySet<MailKind> = new Set(SAFETY_MAIL_KINDS);

/** Whether an artist needs a mail to keep their account or their calendar safe. */
export function isSafetyKind(kind: MailKind): boolean {
  return SAFETY_KINDS.has(kind);
}

/** Whether a mail has no limits, and does not count. */
export function isUnlimited(kind: MailKind, { isArtistProven }: MailTrust): boolean {
  return isArtistProven && isSafetyKind(kind);
}

/** A mail as it counts, and the limits into which it must fit. */
export interface WayToCount {
  readonly mail: CountedMail;
  readonly limits: readonly MailLimitName[];
}

/**
 * How a mail that is not unlimited may count, the best first; one way is enough to send it. Somebody may have
 * used up the mails of a mailbox. Its owner must still get the links they ask for, so the first mail of a day
 * with such links has a count of its own.
 */
export function waysToCount(
  kind: MailKind,
  mail: CountedMail,
  trust: MailTrust,
): readonly WayToCount[] {
  const usual = { mail, limits: mailLimits(mail, trust) };
  if (kind !== 'links') return [usual];
  const apart = { ...mail, mailbox: `${mail.mailbox} links` };
  return [{ mail: apart, limits: [...artistLimits(mail, trust), 'links'] }, usual];
}

/** The limits of a mail that is not unlimited, among the other mails of its mailbox. */
export function mailLimits(mail: CountedMail, trust: MailTrust): MailLimitName[] {
  const { isMailboxProven, isOfUnprovenAccount } = trust;
  const limits: MailLimitName[] = [
    ...artistLimits(mail, trust),
    isMailboxProven ? 'mailbox' : 'unprovenMailbox',
    ...sourceLimits(mail, trust),
  ];
  if (isOfUnprovenAccount && !isMailboxProven && !mail.isForSafety) limits.push('unprovenAccount');
  return limits;
}

/** The limits of the mails of one artist to clients; none for a mail to an artist. */
function artistLimits(
  { senderId, source, isLinkNeeded }: CountedMail,
  { isArtistProven }: MailTrust,
): MailLimitName[] {
  if (senderId === null) return [];
  if (!isArtistProven) return ['unprovenArtist'];
  const isCausedByArtist = source === senderId;
  if (isCausedByArtist) return ['artist'];
  return ['artist', isLinkNeeded ? 'networkLinks' : 'network'];
}

/** The limit of the mails that one source causes to the mailbox. */
function sourceLimits(
  { senderId, isForSafety }: CountedMail,
  { isArtistProven, isMailboxProven, isKnownToArtist }: MailTrust,
): MailLimitName[] {
  // Actions of the artist cause these mails. Strangers can cause an alarm about bookings, once a day, and ask
  // for a new password, which has limits of its own.
  if (isForSafety) return [];
  // A mail about an account. Both must be proven: somebody may have signed up with the address of a client,
  // who has proven the mailbox but not the account.
  if (senderId === null) return isArtistProven && isMailboxProven ? [] : ['unprovenSource'];
  if (isKnownToArtist) return [];
  return [isMailboxProven ? 'source' : 'unprovenSource'];
}

/** Mails of the kinds of one list can be merged with each other. */
const MERGED_KINDS: readonly (readonly MailKind[])[] = [
  // A link that changes the email comes with the warning to ignore it, which a list has no room for.
  CLIENT_MAIL_KINDS.filter((kind) => kind !== 'email_change_link'),
  [...ARTIST_MAIL_KINDS, 'contact_message', 'data_requested'],
];

/** The kinds of mail that can be merged with a mail of this kind; maybe none. */
export function mergeableKinds(kind: MailKind): readonly MailKind[] {
  return MERGED_KINDS.find((kinds) => kinds.includes(kind)) ?? [];
}
