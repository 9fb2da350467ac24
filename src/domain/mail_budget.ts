/** How many mails people may cause: those who type an address are limited, not its owner. */
import {
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
  type MailBudget,
  type MailKind,
  SAFETY_MAIL_KINDS,
} from './mail.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** At most `mails` in any period of this length. */
interface MailLimit {
  readonly mails: number;
  readonly periodMs: number;
}

/** A mail that counts. */
export interface CountedMail {
  readonly mailId: string;
  /** The recipient's, or the part of it that `waysToCount` keeps apart. */
  readonly mailbox: string;
  /** Who caused it: a network, or the artist's id. */
  readonly source: string;
  /** The artist's id; null for a mail to an artist. */
  readonly senderId: string | null;
  /** Whether the client needs its link, to confirm an appointment or because they asked for it. */
  readonly isLinkNeeded: boolean;
  /** Whether an artist needs it to keep their account or their calendar safe. */
  readonly isForSafety: boolean;
}

/** A limit of the mails that are like a mail in these respects. */
export interface MailRule extends MailLimit {
  readonly sameAs: readonly Exclude<keyof CountedMail, 'mailId'>[];
  /** The reason that the artist sees while a mail waits. */
  readonly budget: MailBudget;
}

/** The longest period of any limit. */
export const LONGEST_PERIOD_MS = DAY_MS;

/** Mails to the clients of an artist: those whose link is needed, and all others. */
const ARTIST_LIMIT: MailLimit = { mails: 600, periodMs: DAY_MS };
/** The mails with a needed link that one network causes to the clients of an artist. */
const NETWORK_LINK_LIMIT: MailLimit = { mails: 60, periodMs: DAY_MS };
/** All others that one network causes to them. */
const NETWORK_LIMIT: MailLimit = { mails: 150, periodMs: DAY_MS };
/** Until the artist has used the link that was mailed to them. */
export const UNPROVEN_ARTIST_LIMIT: MailLimit = { mails: 30, periodMs: DAY_MS };
/** A mailbox whose owner has used a link that only a mail carries. */
const MAILBOX_LIMIT: MailLimit = { mails: 30, periodMs: HOUR_MS };
const UNPROVEN_MAILBOX_LIMIT: MailLimit = { mails: 5, periodMs: DAY_MS };
/**
 * Of these five, as many may be other mails than those for safety, if an account has the email and has not
 * proven it: strangers must not keep its owner from proving it.
 */
const UNPROVEN_ACCOUNT_LIMIT: MailLimit = { mails: 3, periodMs: DAY_MS };
/** Mails that one source causes to a mailbox whose owner has used links of other artists only. */
const SOURCE_LIMIT: MailLimit = { mails: 10, periodMs: DAY_MS };
/** One less than a mailbox gets, so that one stranger cannot use up all mails of someone else. */
const UNPROVEN_SOURCE_LIMIT: MailLimit = { mails: 4, periodMs: DAY_MS };
/** Mails with the links that somebody asked for, beside all others of a mailbox. */
const LINKS_LIMIT: MailLimit = { mails: 1, periodMs: DAY_MS };

export interface MailTrust {
  /** Whether the artist who receives the mail, or whose client does, has used a mailed link. */
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
  readonly rules: readonly MailRule[];
}

/**
 * How a mail that is not unlimited may count, the best first; one way is enough to send it. The first
 * mail of a day with links that were asked for counts apart from the other mails of its mailbox: neither
 * strangers nor artists who have used those up can keep it from the owner.
 */
export function waysToCount(
  kind: MailKind,
  mail: CountedMail,
  trust: MailTrust,
): readonly WayToCount[] {
  const usual = { mail, rules: mailRules(mail, trust) };
  if (kind !== 'links') return [usual];
  const apart = { ...mail, mailbox: `${mail.mailbox} links` };
  const linksRule: MailRule = { ...LINKS_LIMIT, sameAs: ['mailbox'], budget: 'mailbox' };
  return [{ mail: apart, rules: [...artistRules(mail, trust), linksRule] }, usual];
}

/** The limits of a mail that is not unlimited, among the other mails of its mailbox. */
export function mailRules(mail: CountedMail, trust: MailTrust): readonly MailRule[] {
  return [...artistRules(mail, trust), ...mailboxRules(mail, trust)];
}

function artistRules(
  { senderId, source, isLinkNeeded }: CountedMail,
  { isArtistProven }: MailTrust,
): readonly MailRule[] {
  if (senderId === null) return [];
  const budget = 'artist';
  if (!isArtistProven) return [{ ...UNPROVEN_ARTIST_LIMIT, sameAs: ['senderId'], budget }];
  const artistRule = { ...ARTIST_LIMIT, sameAs: ['senderId', 'isLinkNeeded'], budget } as const;
  const isCausedByArtist = source === senderId;
  if (isCausedByArtist) return [artistRule];
  const networkLimit = isLinkNeeded ? NETWORK_LINK_LIMIT : NETWORK_LIMIT;
  return [artistRule, { ...networkLimit, sameAs: ['senderId', 'isLinkNeeded', 'source'], budget }];
}

function mailboxRules(mail: CountedMail, trust: MailTrust): readonly MailRule[] {
  const { isMailboxProven, isOfUnprovenAccount } = trust;
  const budget = 'mailbox';
  const rules: MailRule[] = [
    {
      ...(isMailboxProven ? MAILBOX_LIMIT : UNPROVEN_MAILBOX_LIMIT),
      sameAs: ['mailbox'],
      budget,
    },
  ];
  const sourceLimit = limitOfSource(mail, trust);
  if (sourceLimit) rules.push({ ...sourceLimit, sameAs: ['mailbox', 'source'], budget });
  if (isOfUnprovenAccount && !isMailboxProven && !mail.isForSafety)
    rules.push({ ...UNPROVEN_ACCOUNT_LIMIT, sameAs: ['mailbox', 'isForSafety'], budget });
  return rules;
}

/** The limit of the mails that one source causes to the mailbox; null without one. */
function limitOfSource(
  { senderId, isForSafety }: CountedMail,
  { isArtistProven, isMailboxProven, isKnownToArtist }: MailTrust,
): MailLimit | null {
  // The account causes these mails itself, save an alarm, of which there is one a day.
  if (isForSafety) return null;
  // Someone may have signed up with the address of a client, whose mailbox is proven.
  if (senderId === null) return isArtistProven && isMailboxProven ? null : UNPROVEN_SOURCE_LIMIT;
  if (isKnownToArtist) return null;
  return isMailboxProven ? SOURCE_LIMIT : UNPROVEN_SOURCE_LIMIT;
}

const MERGED_KINDS: readonly (readonly MailKind[])[] = [
  // A link that changes the email comes with the warning to ignore it, which a list has no room for.
  CLIENT_MAIL_KINDS.filter((kind) => kind !== 'email_change_link'),
  [...ARTIST_MAIL_KINDS, 'contact_message', 'data_requested'],
];

/** The kinds of mail that one mail can tell together with a mail of this kind; maybe none. */
export function mergeableKinds(kind: MailKind): readonly MailKind[] {
  return MERGED_KINDS.find((kinds) => kinds.includes(kind)) ?? [];
}
