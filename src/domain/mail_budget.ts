/** How many mails people may cause: those who type an address are limited, not its owner. */
import { CLIENT_MAIL_KINDS, isClientMailKind, type MailBudget, type MailKind } from './mail.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** At most `mails` in any period of this length. */
interface MailLimit {
  readonly mails: number;
  readonly periodMs: number;
}

/** A mail that counts. */
export interface CountedMail {
  readonly mailId: string;
  /** The recipient's. */
  readonly mailbox: string;
  /** Who caused it: a network, or the artist's id. */
  readonly source: string;
  /** The artist's id; null for a mail to an artist. */
  readonly senderId: string | null;
}

/** A limit of the mails that are like a mail in these respects. */
export interface MailRule extends MailLimit {
  readonly sameAs: readonly Exclude<keyof CountedMail, 'mailId'>[];
  /** The reason that the artist sees while a mail waits. */
  readonly budget: MailBudget;
}

/** The longest period of any limit. */
export const LONGEST_PERIOD_MS = DAY_MS;

/** All mails to the clients of an artist. */
const ARTIST_LIMIT: MailLimit = { mails: 600, periodMs: DAY_MS };
/** Until the artist has used the link that was mailed to them. */
export const UNPROVEN_ARTIST_LIMIT: MailLimit = { mails: 30, periodMs: DAY_MS };
/** A mailbox whose owner has used a link that only a mail carries. */
const MAILBOX_LIMIT: MailLimit = { mails: 30, periodMs: HOUR_MS };
const UNPROVEN_MAILBOX_LIMIT: MailLimit = { mails: 5, periodMs: DAY_MS };
/** Mails that one source causes to a mailbox whose owner has used links of other artists only. */
const SOURCE_LIMIT: MailLimit = { mails: 10, periodMs: DAY_MS };
/** One less than a mailbox gets, so that one stranger cannot use up all mails of someone else. */
const UNPROVEN_SOURCE_LIMIT: MailLimit = { mails: 4, periodMs: DAY_MS };

export interface MailTrust {
  /** Whether the artist who receives the mail, or whose client does, has used a mailed link. */
  readonly isArtistProven: boolean;
  /** Whether the recipient has used a mailed link, of any artist. */
  readonly isMailboxProven: boolean;
  /** Whether the recipient has used a mailed link of this artist. */
  readonly isKnownToArtist: boolean;
}

const ACCOUNT_SAFETY_KINDS: ReadonlySet<MailKind> = new Set([
  'password_recovery',
  'password_changed',
  'payment_failed',
  'subscription_ended',
  // It must arrive while the batch of bookings comes in. An artist has one open alarm at a time.
  'booking_alarm',
]);

/** The limits of a mail; none for a mail that does not count. */
export function mailRules(kind: MailKind, trust: MailTrust): readonly MailRule[] {
  const { isArtistProven, isMailboxProven } = trust;
  if (isArtistProven && ACCOUNT_SAFETY_KINDS.has(kind)) return [];
  const isForClient = isClientMailKind(kind);
  const mailboxLimit = isMailboxProven ? MAILBOX_LIMIT : UNPROVEN_MAILBOX_LIMIT;
  const sourceLimit = limitOfSource(isForClient, trust);
  return [
    ...(isForClient ? artistRules(isArtistProven) : []),
    { ...mailboxLimit, sameAs: ['mailbox'], budget: 'mailbox' },
    ...(sourceLimit
      ? [{ ...sourceLimit, sameAs: ['mailbox', 'source'], budget: 'mailbox' } as const]
      : []),
  ];
}

function artistRules(isArtistProven: boolean): readonly MailRule[] {
  const limit = isArtistProven ? ARTIST_LIMIT : UNPROVEN_ARTIST_LIMIT;
  return [{ ...limit, sameAs: ['senderId'], budget: 'artist' }];
}

/** The limit of the mails that one source causes to the mailbox; null without one. */
function limitOfSource(
  isForClient: boolean,
  { isArtistProven, isMailboxProven, isKnownToArtist }: MailTrust,
): MailLimit | null {
  // Someone may have signed up with the address of a client, whose mailbox is proven.
  if (!isForClient) return isArtistProven && isMailboxProven ? null : UNPROVEN_SOURCE_LIMIT;
  if (isKnownToArtist) return null;
  return isMailboxProven ? SOURCE_LIMIT : UNPROVEN_SOURCE_LIMIT;
}

const MERGED_ARTIST_KINDS = [
  'new_request',
  'new_booking',
  'offer_lapsed',
  'contact_message',
] as const;

/** The kinds of mail that one mail can tell together with a mail of this kind; maybe none. */
export function mergeableKinds(kind: MailKind): readonly MailKind[] {
  if (isClientMailKind(kind)) return CLIENT_MAIL_KINDS;
  return MERGED_ARTIST_KINDS.some((mergedKind) => mergedKind === kind) ? MERGED_ARTIST_KINDS : [];
}
