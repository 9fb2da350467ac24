/** All limits against abuse: the counted events, who is counted, the maximum and the consequence. */
import type { MailBudget } from '../mail/mail.ts';
import type { RefusalReason } from '../refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/time.ts';
import { widerNetwork } from './network.ts';

/** At most `most` are allowed, including the one that is judged now. */
interface Rule<Counted extends string> {
  readonly counted: Counted;
  readonly most: number;
}

/** @returns the first rule of the list that is exceeded */
export function firstExceeded<Counted extends string, R extends Rule<Counted>>(
  rules: readonly R[],
  counts: Readonly<Record<Counted, number>>,
): R | undefined {
  return rules.find(({ counted, most }) => counts[counted] > most);
}

/**
 * Events, counted for `periodMs` from the first one of the same `by`. A limit by network alone also limits the
 * /48 of IPv6 around it to four times the events. Where one stranger alone must not use up another limit, a
 * lower one counts by the widest network.
 */
interface EventLimit {
  readonly by: readonly string[];
  readonly most: number;
  readonly periodMs: number;
  /** `rate_limited` if it is not given. */
  readonly reason?: RefusalReason;
  /** A right password takes its event back. */
  readonly canUncount?: true;
  /** Calls that cause no mail are allowed while the database is away. */
  readonly isAllowedUncounted?: true;
}

const WRONG_LOGIN = { reason: 'too_many_wrong_logins', canUncount: true } as const;

export const EVENT_LIMITS = {
  // Calls of the API. Generous, because the visitors of a studio may share one network.
  calls_login: { by: ['network'], most: 20, periodMs: MINUTE_MS, isAllowedUncounted: true },
  calls_recovery: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  calls_signup: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  // Questions of the sign-up form: one for each pause while typing.
  calls_signup_check: { by: ['network'], most: 120, periodMs: MINUTE_MS, isAllowedUncounted: true },
  calls_request: { by: ['network'], most: 300, periodMs: MINUTE_MS },
  calls_contact: { by: ['network'], most: 20, periodMs: MINUTE_MS },
  calls_upload: { by: ['network'], most: 120, periodMs: MINUTE_MS, isAllowedUncounted: true },
  // Mails that are sent once more.
  calls_mail: { by: ['network'], most: 20, periodMs: MINUTE_MS },

  // Passwords that are tried on many accounts.
  wrong_logins_network: {
    by: ['network'],
    most: 100,
    periodMs: HOUR_MS,
    canUncount: true,
    reason: 'too_many_wrong_logins_of_network',
  },
  // Lower than the account's limit, so that one stranger alone does not use that one up.
  wrong_logins_account_network: {
    by: ['account', 'widestNetwork'],
    most: 5,
    periodMs: HOUR_MS,
    ...WRONG_LOGIN,
  },
  wrong_logins_account: { by: ['account'], most: 10, periodMs: HOUR_MS, ...WRONG_LOGIN },
  // Instead of these three, in a browser that the account has logged in from.
  wrong_logins_device: { by: ['device'], most: 30, periodMs: HOUR_MS, ...WRONG_LOGIN },
  // Current passwords and passkeys: a stolen access token must not help to guess them.
  wrong_passwords: {
    by: ['session'],
    most: 10,
    periodMs: HOUR_MS,
    canUncount: true,
    reason: 'too_many_wrong_passwords',
  },

  recovery_network: { by: ['network'], most: 20, periodMs: HOUR_MS },
  recovery_mails_network: { by: ['account', 'widestNetwork'], most: 3, periodMs: HOUR_MS },
  recovery_mails: { by: ['account'], most: 10, periodMs: HOUR_MS },
  recovery_mails_device: { by: ['device'], most: 3, periodMs: HOUR_MS },

  // Lost links of appointments. The first mail counts apart from the others of its mailbox, and the
  // second among them (`mail_budget.ts`); so a stranger who asks leaves most of those to others.
  links_network: { by: ['network'], most: 20, periodMs: HOUR_MS },
  links_mails: { by: ['artist', 'account'], most: 2, periodMs: DAY_MS },

  // Half of the mails, so that one network cannot use them up for all others.
  contact_network: { by: ['artist', 'widestNetwork'], most: 30, periodMs: HOUR_MS },
  contact_mails: { by: ['artist'], most: 60, periodMs: HOUR_MS },

  // A solution of a proof of work counts once, and is too late after an hour.
  proof_of_work: { by: ['task'], most: 1, periodMs: HOUR_MS },
  // Requests to all artists, without a proof of work: with few requests to each artist, a program
  // could otherwise mail many people.
  requests_of_network: { by: ['network'], most: 60, periodMs: HOUR_MS },
  // Times that an appointment takes after its request: the shares take long to compute.
  late_confirmations: { by: ['network'], most: 60, periodMs: HOUR_MS },
  client_moves: { by: ['appointment'], most: 20, periodMs: DAY_MS },
  // Each may mail the owner of the present email. The owner has a count of their own.
  client_emails: { by: ['asker'], most: 10, periodMs: DAY_MS },

  exports: { by: ['artist'], most: 5, periodMs: DAY_MS },
  prove_email: { by: ['artist'], most: 5, periodMs: HOUR_MS, reason: 'too_many_proof_mails' },
} as const satisfies Record<string, EventLimit>;

export type EventName = keyof typeof EVENT_LIMITS;

/** The limits of the calls from one network; endpoints name theirs. */
export type CallLimit = EventName extends infer Name
  ? Name extends `calls_${infer Call}`
    ? Call
    : never
  : never;

/** The senders by which these limits count. */
export type Causer<Name extends EventName> = Readonly<
  Record<(typeof EVENT_LIMITS)[Name]['by'][number], string>
>;

/** An event to count for one limit. The database stores only a hash of its causer. */
export interface CountedEvent extends Omit<EventLimit, 'by'>, Rule<string> {
  readonly causer: string;
}

/** The properties of a mail by which its limits count. */
export interface CountedMail {
  readonly mailId: string;
  /** The recipient's, or the part of it that `waysToCount` keeps apart. */
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

/** Mails in any period of this length that are the same in these respects. One beyond them waits. */
interface MailLimit {
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
  // Until the artist has used the link that was mailed to them.
  unprovenArtist: { by: ['senderId'], most: 30, periodMs: DAY_MS, budget: 'artist' },
  // A mailbox whose owner has used a link that only a mail carries.
  mailbox: { by: ['mailbox'], most: 30, periodMs: HOUR_MS, budget: 'mailbox' },
  unprovenMailbox: { by: ['mailbox'], most: 5, periodMs: DAY_MS, budget: 'mailbox' },
  // Of these five, as many may be other mails than those for safety, if an account has the email and has
  // not proven it: strangers must not keep its owner from proving it.
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
  // Mails with the links that somebody asked for, beside all others of a mailbox.
  links: { by: ['mailbox'], most: 1, periodMs: DAY_MS, budget: 'mailbox' },
} as const satisfies Record<string, MailLimit>;

export type MailLimitName = keyof typeof MAIL_LIMITS;

/** The longest period of any limit of mails. */
export const LONGEST_PERIOD_MS = DAY_MS;

/** The first requests of a network and hour, and to an artist and hour, need no proof. */
export const FREE_REQUESTS_OF_NETWORK = 3;
export const FREE_REQUESTS_OF_ARTIST = 10;

/** Requests to an artist in an hour, and shares of the listed times: which proof one beyond them needs. */
export const requestLimits = (busiestHour: number) =>
  [
    // One carrier may send the clients of a whole opening night.
    { counted: 'ofNetworkAndHour', most: 150, beyond: 'refused' },
    // Four of five times stay free for other networks.
    { counted: 'shareOfNetwork', most: SHARE_OF_NETWORK, beyond: 'mail' },
    // A part of the times stays free for clients who prove their mailbox.
    { counted: 'shareOfAll', most: 0.75, beyond: 'mail' },
    { counted: 'ofNetworkAndHour', most: 100, beyond: 'mail' },
    // An opening night is below it, unless busier hours are usual.
    { counted: 'ofHour', most: Math.max(300, 4 * busiestHour), beyond: 'mail' },
    { counted: 'ofNetworkAndHour', most: FREE_REQUESTS_OF_NETWORK, beyond: 'proof_of_work' },
    {
      counted: 'ofHour',
      most: Math.max(FREE_REQUESTS_OF_ARTIST, 2 * busiestHour),
      beyond: 'proof_of_work',
    },
  ] as const;

const SHARE_OF_NETWORK = 0.19;

const shares = (ofEach: number, together: number) =>
  [
    { counted: 'ofEach', most: ofEach },
    { counted: 'together', most: together },
  ] as const;

/**
 * Shares of the times that mailed links reserve, for mailboxes of public providers, domains of others and
 * networks: of one service alone, and of the requested service, alone or together with the longest.
 */
export const SHARE_LIMITS = {
  network: shares(SHARE_OF_NETWORK, SHARE_OF_NETWORK),
  // A client may book the sessions of one large tattoo at once.
  mailbox: shares(SHARE_OF_NETWORK, 0.05),
  // A town may have one provider of its own.
  domain: shares(0.4, 0.4),
} as const;

export type SenderGroup = keyof typeof SHARE_LIMITS;

/** Requests that count for limits: the artist is warned of those beyond. */
export const alarmLimits = (busiestHour: number) => {
  const many = Math.max(20, 3 * busiestHour);
  return [
    { counted: 'ofHour', most: many - 1, warnsOf: 'hour' },
    { counted: 'ofDay', most: 3 * many - 1, warnsOf: 'day' },
    { counted: 'share', most: 0.3, warnsOf: 'day' },
  ] as const;
};

/** Requests that a process has in work at once. */
export const LOAD_LIMITS = [
  // A burst, such as the clients of a new flash sheet.
  { counted: 'ofAll', most: 2000 },
  // A single stranger cannot shut out all others.
  { counted: 'ofNetwork', most: 500 },
  // Of one /48 of IPv6, which one person can have for nothing.
  { counted: 'ofWider', most: 1000 },
  // Browsers and proxies send one after the other.
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
  // A part of the inbox, so that one network cannot fill it for all others.
  { counted: 'ofNetwork', most: 50, beyond: 'inbox_full_for_network' },
  { counted: 'ofWider', most: 100, beyond: 'inbox_full_for_network' },
  { counted: 'ofAll', most: 2000, beyond: 'inbox_full' },
  { counted: 'ofAll', most: 500, beyond: 'proof_of_work' },
] as const;

const WIDER_LIMIT_FACTOR = 4;

/** The counted events when one event counts for several limits. */
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
