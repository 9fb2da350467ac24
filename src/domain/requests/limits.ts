/** All limits against abuse: the counted events, who is counted, the maximum and the consequence. */
import type { MailBudget } from '../mail/mail.ts';
import type { RefusalReason } from '../refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/time.ts';
import { widerNetwork } from './network.ts';

/** At most `most` of the counted things are allowed, including the one that is judged now. */
interface Rule<Counted extends string> {
  readonly counted: Counted;
  readonly most: number;
}

/** The first rule of the list that is exceeded; undefined if none is. */
export function firstExceeded<Counted extends string, R extends Rule<Counted>>(
  rules: readonly R[],
  counts: Readonly<Record<Counted, number>>,
): R | undefined {
  return rules.find(({ counted, most }) => counts[counted] > most);
}

/**
 * Events, counted for `periodMs` from the first one of the same causer. A limit by network alone also limits the
 * /48 of IPv6 around it to `WIDER_LIMIT_FACTOR` times the events. Where one stranger alone must not use up another
 * limit, a lower one counts by the widest network.
 */
interface EventLimit {
  /** The causer: events count together if all of these are the same. */
  readonly by: readonly string[];
  readonly most: number;
  readonly periodMs: number;
  /** Why the API refuses an event beyond the limit; `rate_limited` if it is not given. */
  readonly reason?: RefusalReason;
  /** Whether the event is taken back when the password turns out to be right. */
  readonly canUncount?: true;
  /** Whether the event is allowed while the database cannot count it: those that cause no mail. */
  readonly isAllowedUncounted?: true;
}

const WRONG_LOGIN = { reason: 'too_many_wrong_logins', canUncount: true } as const;

export const EVENT_LIMITS = {
  // Calls of the API. Generous, because the visitors of a studio may share one network.
  calls_login: { by: ['network'], most: 20, periodMs: MINUTE_MS, isAllowedUncounted: true },
  calls_recovery: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  calls_signup: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  // The sign-up form asks whether a username is free: once for each pause while typing.
  calls_signup_check: { by: ['network'], most: 120, periodMs: MINUTE_MS, isAllowedUncounted: true },
  calls_request: { by: ['network'], most: 300, periodMs: MINUTE_MS },
  calls_contact: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  calls_upload: { by: ['network'], most: 120, periodMs: MINUTE_MS, isAllowedUncounted: true },
  // Calls that send a mail once more.
  calls_mail: { by: ['network'], most: 20, periodMs: MINUTE_MS },

  // Wrong passwords, for any account.
  wrong_logins_network: {
    by: ['network'],
    most: 100,
    periodMs: HOUR_MS,
    canUncount: true,
    reason: 'too_many_wrong_logins_of_network',
  },
  // Lower than `wrong_logins_account`, so that one stranger alone does not use that one up.
  wrong_logins_account_network: {
    by: ['account', 'widestNetwork'],
    most: 5,
    periodMs: HOUR_MS,
    ...WRONG_LOGIN,
  },
  wrong_logins_account: { by: ['account'], most: 10, periodMs: HOUR_MS, ...WRONG_LOGIN },
  // The only one for a browser from which the account has logged in: strangers cannot shut out the artist.
  wrong_logins_device: { by: ['device'], most: 30, periodMs: HOUR_MS, ...WRONG_LOGIN },
  // Current passwords and passkeys: a stolen access token must not help to guess them.
  wrong_passwords: {
    by: ['session'],
    most: 10,
    periodMs: HOUR_MS,
    canUncount: true,
    reason: 'too_many_wrong_passwords',
  },

  // Lost passwords: the requests, and the mails that they cause.
  recovery_network: { by: ['network'], most: 20, periodMs: HOUR_MS },
  recovery_mails_network: { by: ['account', 'widestNetwork'], most: 3, periodMs: HOUR_MS },
  recovery_mails: { by: ['account'], most: 10, periodMs: HOUR_MS },
  recovery_mails_device: { by: ['device'], most: 3, periodMs: HOUR_MS },

  // Lost links of appointments. Only the second mail of a day counts among all mails to its mailbox
  // (`mail_budget.ts`), so a stranger who asks uses up few of those.
  links_network: { by: ['network'], most: 20, periodMs: HOUR_MS },
  links_mails: { by: ['artist', 'account'], most: 2, periodMs: DAY_MS },

  // Messages of the contact form, and the mails to the artist about them.
  // Half of the mails, so that one network cannot use them up for all others.
  contact_network: { by: ['artist', 'widestNetwork'], most: 30, periodMs: HOUR_MS },
  contact_mails: { by: ['artist'], most: 60, periodMs: HOUR_MS },

  // A solution of a proof of work counts once, and is too late after an hour.
  proof_of_work: { by: ['task'], most: 1, periodMs: HOUR_MS },
  // Requests to all artists, without a proof of work: with few requests to each artist, a program
  // could otherwise mail many people.
  requests_of_network: { by: ['network'], most: 60, periodMs: HOUR_MS },
  // Confirmations and moves of clients that reserve a time anew: computing the shares of `SHARE_LIMITS` takes long.
  late_confirmations: { by: ['network'], most: 60, periodMs: HOUR_MS },
  client_moves: { by: ['appointment'], most: 20, periodMs: DAY_MS },
  // Changes of the client's email. Each may mail the owner of the present email. The asker is an appointment:
  // its owner, by a mailed link, is counted apart from strangers who know its id.
  client_emails: { by: ['asker'], most: 10, periodMs: DAY_MS },

  exports: { by: ['artist'], most: 5, periodMs: DAY_MS },
  prove_email: { by: ['artist'], most: 5, periodMs: HOUR_MS, reason: 'too_many_proof_mails' },
} as const satisfies Record<string, EventLimit>;

export type EventName = keyof typeof EVENT_LIMITS;

/** The names of the limits `calls_…`, without that beginning; endpoints name theirs. */
export type CallLimit = EventName extends infer Name
  ? Name extends `calls_${infer Call}`
    ? Call
    : never
  : never;

/** Who causes an event: the value of each `by` of these limits, such as `network` and `account`. */
export type Causer<Name extends EventName> = Readonly<
  Record<(typeof EVENT_LIMITS)[Name]['by'][number], string>
>;

/** An event to count for one limit, which `counted` names. */
export interface CountedEvent extends Omit<EventLimit, 'by'>, Rule<string> {
  /** In one text. The database stores only a hash of it. */
  readonly causer: string;
}

/** The properties of a mail by which its limits count. */
export interface CountedMail {
  readonly mailId: string;
  /** The recipient's mailbox; links that somebody asked for count under another name (`waysToCount`). */
  readonly mailbox: string;
  /** The sender: a network, or the artist's id. */
  readonly source: string;
  /** The artist's id; null for a mail to an artist. */
  readonly senderId: string | null;
  /** Whether the client needs its link, to confirm an appointment or because they asked for it. */
  readonly isLinkNeeded: boolean;
  /** Whether an artist needs it to keep their account or their calendar safe. */
  readonly isForSafety: boolean;
}

/** A limit of mails in any period of `periodMs`. A mail beyond it waits. */
interface MailLimit {
  /** Mails count together if all of these are the same. */
  readonly by: readonly Exclude<keyof CountedMail, 'mailId'>[];
  readonly most: number;
  readonly periodMs: number;
  /** The reason that the artist sees while a mail waits. */
  readonly budget: MailBudget;
}

const OF_NETWORK = ['senderId', 'isLinkNeeded', 'source'] as const;

export const MAIL_LIMITS = {
  // Mails to the clients of an artist: those whose link is needed, and all others.
  artist: { by: ['senderId', 'isLinkNeeded'], most: 600, periodMs: DAY_MS, budget: 'artist' },
  // The same two counts for one network: `networkLinks` when the link is needed, else `network`.
  networkLinks: { by: OF_NETWORK, most: 60, periodMs: DAY_MS, budget: 'artist' },
  network: { by: OF_NETWORK, most: 150, periodMs: DAY_MS, budget: 'artist' },
  // Mails to the clients of an artist who has not yet used the link that was mailed to them.
  unprovenArtist: { by: ['senderId'], most: 30, periodMs: DAY_MS, budget: 'artist' },
  // A mailbox whose owner has used a link that only a mail carries; and one whose owner has not.
  mailbox: { by: ['mailbox'], most: 30, periodMs: HOUR_MS, budget: 'mailbox' },
  unprovenMailbox: { by: ['mailbox'], most: 5, periodMs: DAY_MS, budget: 'mailbox' },
  // If an account has the email and has not proven it, only three of those five may be mails that are not for
  // safety: strangers must not keep the owner from proving the email.
  unprovenAccount: {
    by: ['mailbox', 'isForSafety'],
    most: 3,
    periodMs: DAY_MS,
    budget: 'mailbox',
  },
  // Mails that one source causes to a mailbox whose owner has used links of other artists only.
  source: { by: ['mailbox', 'source'], most: 10, periodMs: DAY_MS, budget: 'mailbox' },
  // One less than a mailbox gets, so that one stranger cannot use up all mails of someone else.
  unprovenSource: { by: ['mailbox', 'source'], most: 4, periodMs: DAY_MS, budget: 'mailbox' },
  // Mails with the links that somebody asked for, not counted among the others of a mailbox.
  links: { by: ['mailbox'], most: 1, periodMs: DAY_MS, budget: 'mailbox' },
} as const satisfies Record<string, MailLimit>;

export type MailLimitName = keyof typeof MAIL_LIMITS;

/** The longest period of any limit of mails. */
export const LONGEST_PERIOD_MS = DAY_MS;

/** The first requests of an hour need no proof: so many from one network, and so many to one artist. */
export const FREE_REQUESTS_OF_NETWORK = 3;
export const FREE_REQUESTS_OF_ARTIST = 10;

/** The largest usual share, 0 to 1, of an artist's times for one network: others keep four of five times. */
const SHARE_OF_NETWORK = 0.19;

/**
 * The limits of requests to an artist, the strictest consequence first; `beyond` is the proof that a request beyond
 * the limit needs. Requests are counted in an hour; shares, 0 to 1, are those of the listed times.
 * @param busiestHour the most requests to the artist in any one hour of the last weeks
 */
export const requestLimits = (busiestHour: number) =>
  [
    // When books open, many clients may share the network of one mobile carrier.
    { counted: 'ofNetworkAndHour', most: 150, beyond: 'refused' },
    { counted: 'shareOfNetwork', most: SHARE_OF_NETWORK, beyond: 'mail' },
    // A part of the times stays free for clients who prove their mailbox.
    { counted: 'shareOfAll', most: 0.75, beyond: 'mail' },
    { counted: 'ofNetworkAndHour', most: 100, beyond: 'mail' },
    // More than when books open, or than is usual for the artist.
    { counted: 'ofHour', most: Math.max(300, 4 * busiestHour), beyond: 'mail' },
    { counted: 'ofNetworkAndHour', most: FREE_REQUESTS_OF_NETWORK, beyond: 'proof_of_work' },
    {
      counted: 'ofHour',
      most: Math.max(FREE_REQUESTS_OF_ARTIST, 2 * busiestHour),
      beyond: 'proof_of_work',
    },
  ] as const;

/**
 * How much of an artist's times one group of senders may reserve by mailed links, as shares from 0 to 1: `ofEach`
 * of the times of any one service; `together` of the times of the requested service, and of that service together
 * with the longest.
 */
export const SHARE_LIMITS = {
  network: { ofEach: SHARE_OF_NETWORK, together: SHARE_OF_NETWORK },
  // At a public provider of mail. A client may book the sessions of one large tattoo at once.
  mailbox: { ofEach: SHARE_OF_NETWORK, together: 0.05 },
  // Any other domain. A town may have one provider of its own.
  domain: { ofEach: 0.4, together: 0.4 },
} as const;

export type SenderGroup = keyof typeof SHARE_LIMITS;

/** Limits of the requests of an hour or a day, and of their share of the listed times: beyond, the artist is warned. */
export const alarmLimits = (busiestHour: number) => {
  const many = Math.max(20, 3 * busiestHour);
  return [
    { counted: 'ofHour', most: many - 1, warnsOf: 'hour' },
    { counted: 'ofDay', most: 3 * many - 1, warnsOf: 'day' },
    { counted: 'share', most: 0.3, warnsOf: 'day' },
  ] as const;
};

/** Requests that one process of the server answers at the same time. */
export const LOAD_LIMITS = [
  // Enough for a burst, such as all clients of an artist who has shown new designs.
  { counted: 'ofAll', most: 2000 },
  // Less, so that a single stranger cannot shut out all others.
  { counted: 'ofNetwork', most: 500 },
  // Of one /48 of IPv6, which one person can have for nothing.
  { counted: 'ofWider', most: 1000 },
  // Of one connection, on which browsers and proxies send one request after the other.
  { counted: 'ofConnection', most: 20 },
] as const;

const GIGABYTE = 1024 ** 3;

/** Bytes of the uploads that a process is receiving or encoding. */
export const UPLOAD_LIMITS = [
  { counted: 'ofAll', most: GIGABYTE },
  // Of one artist: more than the largest upload, of 20 pictures.
  { counted: 'ofOwner', most: 0.4 * GIGABYTE },
  // Of all artists together whose email is not proven: their accounts cost nothing.
  { counted: 'ofUnproven', most: 0.5 * GIGABYTE },
] as const;

/** Unread messages to an artist. A full inbox refuses messages until the artist reads or deletes some. */
export const INBOX_LIMITS = [
  // Parts of the inbox, so that one network, or the /48 of IPv6 around it, cannot fill it for all others.
  { counted: 'ofNetwork', most: 50, beyond: 'inbox_full_for_network' },
  { counted: 'ofWider', most: 100, beyond: 'inbox_full_for_network' },
  { counted: 'ofAll', most: 2000, beyond: 'inbox_full' },
  { counted: 'ofAll', most: 500, beyond: 'proof_of_work' },
] as const;

const WIDER_LIMIT_FACTOR = 4;

/** The events to count when one thing happens that counts for these limits; two for a limit by network alone. */
export function countedEvents<Name extends EventName>(
  names: readonly Name[],
  causer: Causer<Name>,
): readonly CountedEvent[] {
  const causers: Readonly<Record<string, string>> = causer;
  return names.flatMap((name): CountedEvent[] => {
    const { by, ...limit }: EventLimit = EVENT_LIMITS[name];
    const own = { ...limit, counted: name, causer: by.map((part) => causers[part]).join(' ') };
    const wider = by.join() === 'network' ? widerNetwork(own.causer) : null;
    if (wider === null) return [own];
    const most = WIDER_LIMIT_FACTOR * limit.most;
    return [own, { ...own, most, counted: `${name}_of_48`, causer: wider }];
  });
}
