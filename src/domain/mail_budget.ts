/** How many mails people may cause: those who type an address are limited, not its owner. */
import { CLIENT_MAIL_KINDS, isClientMailKind, type MailKind } from './mail.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** At most `mails` in any period of this length. */
export interface MailLimit {
  readonly mails: number;
  readonly periodMs: number;
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
/** One less than a mailbox gets, so that one stranger cannot use up all mails of someone else. */
const SOURCE_LIMIT: MailLimit = { mails: 4, periodMs: DAY_MS };

/** @property isArtistProven the artist who receives the mail, or whose client receives it */
export interface MailTrust {
  readonly isArtistProven: boolean;
  readonly isMailboxProven: boolean;
}

/** The limits of one mail; null for those that do not apply. */
export interface MailLimits {
  readonly artist: MailLimit | null;
  readonly mailbox: MailLimit;
  /** Of the mails that one source causes to the mailbox. */
  readonly source: MailLimit | null;
}

const ACCOUNT_SAFETY_KINDS: ReadonlySet<MailKind> = new Set([
  'password_recovery',
  'password_changed',
  'payment_failed',
  'subscription_ended',
  // It must arrive while the batch of bookings comes in. An artist has one open alarm at a time.
  'booking_alarm',
]);

/** The limits of a mail; null if it has none. */
export function mailLimits(
  kind: MailKind,
  { isArtistProven, isMailboxProven }: MailTrust,
): MailLimits | null {
  if (isArtistProven && ACCOUNT_SAFETY_KINDS.has(kind)) return null;
  const isForClient = isClientMailKind(kind);
  // Someone may have signed up with the address of a client, whose mailbox is proven.
  const isRecipientKnown = isMailboxProven && (isForClient || isArtistProven);
  const artistLimit = isArtistProven ? ARTIST_LIMIT : UNPROVEN_ARTIST_LIMIT;
  return {
    artist: isForClient ? artistLimit : null,
    mailbox: isMailboxProven ? MAILBOX_LIMIT : UNPROVEN_MAILBOX_LIMIT,
    source: isRecipientKnown ? null : SOURCE_LIMIT,
  };
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
