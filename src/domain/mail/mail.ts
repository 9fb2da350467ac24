/** The kinds of mails, and the facts that each is written from (`MailData`). */
import type { Actor } from '../appointments/appointment.ts';
import type { BodyLocation, TattooSize } from '../appointments/appointment_choices.ts';
import type { LinkedStatus } from '../appointments/appointment_links.ts';
import type { CalendarOwner, StudioAddress } from '../appointments/calendar_event.ts';
import type { TimeRange } from '../booking/availability.ts';
import type { DataRequestKind } from '../clients/data_request.ts';
import type { Money } from '../money/money.ts';
import type { Price } from '../money/price.ts';
import type { KeptTime, StudioChange } from '../studio/studio_change.ts';
import type { Instant } from '../time/time.ts';

/** Mails to a client about their appointment. */
export const CLIENT_MAIL_KINDS = [
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'declined',
  'cancelled',
  'expired',
  // The deadline of an offer passed; the request is open again.
  'offer_ended',
  'reminder',
  // Its link gives the appointment another email. It goes to the present email, which is proven.
  'email_change_link',
] as const;

/** Mails to an artist about an appointment. */
export const ARTIST_MAIL_KINDS = [
  'new_request',
  'new_booking',
  'offer_lapsed',
  'offer_declined',
  // The client cancelled, or moved, by themselves.
  'client_cancelled',
  'client_moved',
] as const;

/** Mails that an artist needs to keep their account or their calendar safe. */
export const SAFETY_MAIL_KINDS = [
  'prove_email',
  'password_recovery',
  // A superuser hands over a link for a new password.
  'recovery_link_created',
  'password_changed',
  'new_browser_login',
  'email_change_requested',
  'email_changed',
  'email_change_undone',
  // The change of an email was undone. It goes to the email that the account had until the undo.
  'email_taken_back',
  'public_email_changed',
  'passkey_added',
  'passkey_removed',
  'export_ready',
  'account_deleted',
  // It must arrive while the batch of bookings comes in. An artist has one open alarm at a time.
  'booking_alarm',
  'payment_failed',
  'subscription_ended',
] as const;

/** All mails, to clients and to artists. */
export const MAIL_KINDS = [
  ...CLIENT_MAIL_KINDS,
  ...ARTIST_MAIL_KINDS,
  // To a client, who asked for the links of their appointments:
  'links',
  // Mails to an artist about anything else:
  'contact_message',
  // A client asks for a copy of their data, or for its erasure.
  'data_requested',
  'welcome',
  ...SAFETY_MAIL_KINDS,
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
export type ClientMailKind = (typeof CLIENT_MAIL_KINDS)[number];
export type ArtistMailKind = (typeof ARTIST_MAIL_KINDS)[number];
/** Mails about an appointment that need nothing but its data. */
export type AppointmentMailKind =
  | Exclude<ClientMailKind, 'reminder' | 'email_change_link'>
  | ArtistMailKind;

/**
 * `dropped`: never sent, because it was no longer true when its turn came, or because its recipient stopped the mail.
 */
export type MailStatus = 'queued' | 'sent' | 'failed' | 'dropped';

/** As the artist sees it. `saved`: no mail server got it, because the server has none. */
export const SHOWN_MAIL_STATUSES = ['queued', 'sent', 'saved', 'failed', 'dropped'] as const;
export type ShownMailStatus = (typeof SHOWN_MAIL_STATUSES)[number];

/** Whether a mail was dropped because it was no longer true: any other reason is stored. */
export function wasUntrue({
  status,
  failure,
}: {
  readonly status: ShownMailStatus;
  readonly failure: string | null;
}): boolean {
  return status === 'dropped' && failure === null;
}

/** A mail waits while its recipient's mailbox, or its artist, has had all mails of a period. */
export const MAIL_BUDGETS = ['mailbox', 'artist'] as const;
export type MailBudget = (typeof MAIL_BUDGETS)[number];

/**
 * How long an artist can undo a change without a mail to clients: its mails wait as long. Longer than the toast with
 * Undo is shown, because a pointer on the toast keeps it open, and because networks of phones are slow.
 */
export const MAILED_UNDO_MS = 30_000;

/** The hours before an appointment at which artists may have a reminder sent. */
export const REMINDER_HOURS_CHOICES = [168, 72, 48, 24, 12, 4, 2] as const;
export type ReminderChoice = (typeof REMINDER_HOURS_CHOICES)[number];
/** At most this many reminders are sent for one appointment. */
export const MAX_REMINDERS = 3;

/** An appointment at the time of an event. Stored as JSON, so it holds only plain values. */
export interface AppointmentSnapshot {
  readonly id: string;
  /** Grows with every change: the SEQUENCE of calendar files (RFC 5545, 3.8.7.4). */
  readonly version: number;
  /** Who caused the event. */
  readonly by: Actor;
  /** Whether it was booked before the event: only then is it in the client's calendar. */
  readonly wasBooked: boolean;
  /** Whether it was deleted with the artist's account, so that it has no page to link to. */
  readonly isGone: boolean;
  readonly artist: {
    readonly username: string;
    readonly name: string;
    /** The email of the account: mails to the artist go there, and clients do not see it. */
    readonly email: string;
    /** The email that clients see; null for none. */
    readonly publicEmail: string | null;
  };
  /**
   * The emails that earlier calendar files named as organizer, for when the appointment is deleted; null
   * without one, empty for the address of our mails. Missing in mails of earlier versions.
   */
  readonly organizers?: Readonly<Record<CalendarOwner, string | null>>;
  /** `time_zone` is an IANA name. */
  readonly studio: StudioAddress & { readonly time_zone: string };
  readonly client: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  readonly service: string | null;
  readonly design: string | null;
  /** As agreed when it was booked; missing without it. */
  readonly price?: Price;
  readonly deposit?: Money;
  readonly bookingPolicy?: string;
  readonly time: TimeRange | null;
  /** The start before a move; null when the start is unchanged, or there was none. */
  readonly movedFrom: Instant | null;
  /** Set when the artist moved the appointment, and can undo it; missing in other mails. */
  readonly beforeMove?: TimeRange & {
    readonly expiresAt: Instant | null;
    readonly note: string | null;
  };
  /** Set when the mail reports another address, zone or clock rules of the studio; missing otherwise. */
  readonly studioChange?: StudioChange & {
    readonly kept: KeptTime;
    /** The studio's zone before, an IANA name. */
    readonly zoneBefore: string;
    /** The agreed clock time of the start, such as `2027-01-13T10:00`, if the mail needs it. */
    readonly agreed?: string;
  };
  /** The email that the client wants, in the mail whose link is needed for it; missing in others. */
  readonly newEmail?: string;
  /** The client's deadline to confirm the time; null when the time does not expire. */
  readonly expiresAt: Instant | null;
  /** False if others may take the time until the client confirms. */
  readonly isReserved: boolean;
  readonly location: BodyLocation | null;
  readonly size: TattooSize | null;
  /** The client's text in the request. */
  readonly wishes: string | null;
  /** The text of the person who offers a time, declines or cancels. */
  readonly note: string | null;
}

/** An artist at the time of an event. Stored as JSON. */
export interface AccountSnapshot {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** One of the appointments in a mail with links. Stored as JSON. */
export interface LinkedAppointment {
  readonly status: LinkedStatus;
  readonly appointment: AppointmentSnapshot;
}

/** The content of a mail to one person. */
export type MailData =
  | {
      readonly kind: AppointmentMailKind;
      readonly appointment: AppointmentSnapshot;
    }
  | {
      readonly kind: 'reminder';
      readonly appointment: AppointmentSnapshot;
      /** How long before the start. */
      readonly hours: number;
    }
  | {
      readonly kind: 'email_change_link';
      readonly appointment: AppointmentSnapshot;
      /** Unique for each request: the same email may be asked for again, which must be mailed again. */
      readonly occasion: string;
    }
  | ({ readonly artist: AccountSnapshot } & AccountNotice);

/** The facts, beside the artist, of a mail that is not about a single appointment. */
type AccountNotice =
  | {
      readonly kind: 'links';
      /** The client's, as they typed it. */
      readonly email: string;
      readonly appointments: readonly LinkedAppointment[];
      /** Unique for each request, so that none counts as a duplicate. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'contact_message';
      readonly message: {
        readonly id: string;
        readonly name: string;
        readonly email: string;
        readonly text: string;
      };
    }
  | {
      readonly kind: 'data_requested';
      readonly client: {
        readonly id: string;
        readonly name: string | null;
        readonly email: string | null;
      };
      readonly request: { readonly id: string; readonly kind: DataRequestKind };
    }
  | {
      readonly kind: 'booking_alarm';
      /** The alarm's id. */
      readonly alarm: string;
      /** How many requests raised it. */
      readonly bookings: number;
    }
  | { readonly kind: 'welcome'; readonly artist: { readonly username: string } }
  | {
      readonly kind:
        | 'password_recovery'
        | 'recovery_link_created'
        | 'password_changed'
        | 'prove_email';
      /** Unique for each request or change, so that none counts as a duplicate. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'new_browser_login';
      /** Such as 'Chrome on Android'; null if unknown. */
      readonly browser: string | null;
      /** The browser's, an IANA name; null if unknown. */
      readonly zone: string | null;
      readonly at: Instant;
    }
  | {
      /** `artist` has the email that the account has until the new one's link is used. */
      readonly kind: 'email_change_requested';
      /** The id of the change, which a link in the mail undoes. */
      readonly change: string;
      /** Shortened: the mailbox may be someone else's by now. */
      readonly newEmail: string;
    }
  | {
      /** `artist` has the email that the account had before. */
      readonly kind: 'email_changed';
      /** The id of the change, which a link in the mail undoes; null for no such link. */
      readonly change: string | null;
      /** Shortened. */
      readonly newEmail: string;
      /** Unique for each change, so that none counts as a duplicate. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'email_change_undone';
      /** The id of the change. */
      readonly change: string;
    }
  | {
      /** `artist` has the email that the account had until the undo. */
      readonly kind: 'email_taken_back';
      /** The id of the change. */
      readonly change: string;
      /** The one before the change, which the account has again; shortened. */
      readonly oldEmail: string;
    }
  | {
      /** Clients see another email than before, which is not that of the account. */
      readonly kind: 'public_email_changed';
      /** Shortened. */
      readonly newEmail: string;
      /** The same for changes of one hour: only the first is mailed. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'passkey_added' | 'passkey_removed';
      /** The passkey's id. */
      readonly passkey: string;
      /** The browser in which it was made; null if unknown. */
      readonly browser: string | null;
    }
  | {
      readonly kind: 'export_ready';
      /** The export's id. */
      readonly export: string;
      /** When it can no longer be downloaded. */
      readonly until: Instant;
      /** The studio's, an IANA name. */
      readonly zone: string;
    }
  | { readonly kind: 'account_deleted' }
  | {
      readonly kind: 'payment_failed' | 'subscription_ended';
      readonly subscription: string;
      /** When the artist stops taking bookings, or has stopped. */
      readonly until: Instant;
      /** The studio's, an IANA name. */
      readonly zone: string;
    };

/** The content of a mail about an appointment. */
export type AppointmentMailData = Extract<MailData, { appointment: AppointmentSnapshot }>;

/** The content of a mail with the links of a client's appointments. */
export type LinksMailData = Extract<MailData, { kind: 'links' }>;

const CLIENT_KINDS: ReadonlySet<MailKind> = new Set(CLIENT_MAIL_KINDS);

/** Whether mails of this kind go to clients, and are about one appointment. */
export function isClientMailKind(kind: MailKind): kind is ClientMailKind {
  return CLIENT_KINDS.has(kind);
}

/** Whether mails of this kind go to clients, and not to artists. */
export function isToClient(kind: MailKind): boolean {
  return kind === 'links' || isClientMailKind(kind);
}

/** The address of a mail's recipient; null for a client who left none. */
export function recipientAddress(mail: MailData): string | null {
  if (mail.kind === 'links') return mail.email;
  if (!('appointment' in mail)) return mail.artist.email;
  const { artist, client } = mail.appointment;
  return isClientMailKind(mail.kind) ? client.email : artist.email;
}

/** Whether the thing that a mail offers until a time, such as the download of an export, has not ended. */
export function isBeforeItsEnd(mail: MailData, now: Instant): boolean {
  const hasEnd = mail.kind === 'export_ready' || mail.kind === 'payment_failed';
  return !hasEnd || now < mail.until;
}

/** Mails with the same key are duplicates: only one of them is sent. */
export function deduplicationKey(mail: MailData): string {
  switch (mail.kind) {
    case 'reminder': {
      const { id, version, time } = mail.appointment;
      // With the version: one that was dropped may be due again after another change.
      return `reminder:${id}:${version}:${time?.start}:${mail.hours}`;
    }
    case 'email_change_link':
      return `${mail.kind}:${mail.appointment.id}:${mail.occasion}`;
    case 'contact_message':
      return `contact_message:${mail.message.id}`;
    case 'data_requested':
      return `data_requested:${mail.request.id}`;
    case 'booking_alarm':
      return `booking_alarm:${mail.alarm}`;
    case 'welcome':
    case 'account_deleted':
      return `${mail.kind}:${mail.artist.id}`;
    case 'passkey_added':
    case 'passkey_removed':
      return `${mail.kind}:${mail.passkey}`;
    case 'export_ready':
      return `${mail.kind}:${mail.export}`;
    case 'new_browser_login':
      return `${mail.kind}:${mail.artist.id}:${mail.at}`;
    case 'email_change_requested':
    case 'email_change_undone':
    case 'email_taken_back':
      return `${mail.kind}:${mail.change}`;
    case 'links':
    case 'password_recovery':
    case 'recovery_link_created':
    case 'password_changed':
    case 'prove_email':
    case 'email_changed':
    case 'public_email_changed':
      return `${mail.kind}:${mail.artist.id}:${mail.occasion}`;
    case 'payment_failed':
    case 'subscription_ended':
      return `${mail.kind}:${mail.subscription}:${mail.until}`;
    default:
      return `${mail.kind}:${mail.appointment.id}:${mail.appointment.version}`;
  }
}
