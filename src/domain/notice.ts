import type { AppointmentStatus, Location, Size } from './appointment.ts';
import type { EntryStudio } from './calendar_entry.ts';
import type { Instant } from './time.ts';

/** What clients are told of their appointment. */
export const CLIENT_NOTICES = [
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'declined',
  'cancelled',
  'expired',
  'reminder',
] as const;

/** What artists are told of an appointment. */
export const ARTIST_NOTICES = ['new_request', 'new_booking', 'offer_lapsed'] as const;

/** What artists are told of anything else. */
const ACCOUNT_NOTICES = [
  'contact_message',
  'welcome',
  'password_recovery',
  'password_changed',
  'payment_failed',
  'subscription_ended',
] as const;

export const NOTICE_KINDS = [...CLIENT_NOTICES, ...ARTIST_NOTICES, ...ACCOUNT_NOTICES] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export type ClientNotice = (typeof CLIENT_NOTICES)[number];
export type ArtistNotice = (typeof ARTIST_NOTICES)[number];

/** What becomes of a mail; a `dropped` one was no longer true when its turn came. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'dropped'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A studio as mails name it. `time_zone` is an IANA name. */
interface NoticeStudio extends EntryStudio {
  readonly time_zone: string;
}

/** An appointment as it was when something happened to it. Kept as JSON: plain values alone. */
export interface AppointmentFacts {
  readonly id: string;
  /** Grows with every change: the SEQUENCE of calendar files (RFC 5545, 3.8.7.4). */
  readonly version: number;
  /** Whether it had been booked: only then is it in the client's calendar. */
  readonly wasBooked: boolean;
  /** Whether it went with the artist's account: it has no page any more. */
  readonly isGone: boolean;
  readonly artist: { readonly username: string; readonly name: string; readonly email: string };
  readonly studio: NoticeStudio;
  readonly client: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  readonly service: string | null;
  readonly design: string | null;
  /** `end` is excluded. */
  readonly time: { readonly start: Instant; readonly end: Instant } | null;
  /** Its start before it was moved; null when that is the same, or there was none. */
  readonly movedFrom: Instant | null;
  /** Until when the client can be sure of the time by confirming; null when nothing lapses. */
  readonly lapsesAt: Instant | null;
  readonly location: Location | null;
  readonly size: Size | null;
  /** What the client wrote with their request. */
  readonly wishes: string | null;
  /** What the artist wrote with declining or cancelling. */
  readonly note: string | null;
}

/** Someone with an account. */
export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Something that one person is to be told. */
export type Notice =
  | { readonly kind: Exclude<ClientNotice, 'reminder'>; readonly appointment: AppointmentFacts }
  | {
      readonly kind: 'reminder';
      readonly appointment: AppointmentFacts;
      /** How long before the start. */
      readonly hours: number;
    }
  | { readonly kind: ArtistNotice; readonly appointment: AppointmentFacts }
  | {
      readonly kind: 'contact_message';
      readonly artist: AccountFacts;
      readonly message: {
        readonly id: string;
        readonly name: string;
        readonly email: string;
        readonly text: string;
      };
    }
  | { readonly kind: 'welcome'; readonly artist: AccountFacts & { readonly username: string } }
  | {
      readonly kind: 'password_recovery' | 'password_changed';
      readonly artist: AccountFacts;
      /** Tells one time from another. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'payment_failed' | 'subscription_ended';
      readonly artist: AccountFacts;
      readonly subscription: string;
      /** Until when the artist takes bookings all the same, or since when they do not. */
      readonly until: Instant;
      /** The studio's, an IANA name. */
      readonly zone: string;
    };

/** A notice about an appointment. */
export type AppointmentNotice = Extract<Notice, { appointment: AppointmentFacts }>;

const TO_CLIENT: ReadonlySet<NoticeKind> = new Set(CLIENT_NOTICES);

export function isForClient(kind: NoticeKind): kind is ClientNotice {
  return TO_CLIENT.has(kind);
}

/** Where a notice goes; null when the client left no email. */
export function addressOf(notice: Notice): string | null {
  if (!('appointment' in notice)) return notice.artist.email;
  const { artist, client } = notice.appointment;
  return isForClient(notice.kind) ? client.email : artist.email;
}

/** What a notice is sent for, as a key: what has the same one is the same notice. */
export function causeOf(notice: Notice): string {
  switch (notice.kind) {
    case 'reminder': {
      const { id, time } = notice.appointment;
      return `reminder:${id}:${time?.start}:${notice.hours}`;
    }
    case 'contact_message':
      return `contact_message:${notice.message.id}`;
    case 'welcome':
      return `welcome:${notice.artist.id}`;
    case 'password_recovery':
    case 'password_changed':
      return `${notice.kind}:${notice.artist.id}:${notice.occasion}`;
    case 'payment_failed':
    case 'subscription_ended':
      return `${notice.kind}:${notice.subscription}:${notice.until}`;
    default:
      return `${notice.kind}:${notice.appointment.id}:${notice.appointment.version}`;
  }
}

/** The states in which what a notice says of an appointment is still so. */
const TRUE_IN: Record<ClientNotice | ArtistNotice, readonly AppointmentStatus[]> = {
  request_received: ['requested'],
  new_request: ['requested'],
  hold: ['held'],
  offer: ['offered'],
  booked: ['confirmed'],
  new_booking: ['confirmed'],
  moved: ['confirmed'],
  reminder: ['confirmed'],
  declined: ['declined'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  offer_lapsed: ['expired'],
};

/** Whether a notice, told now, would still be true of an appointment in this state. */
export function isStillSo(kind: ClientNotice | ArtistNotice, status: AppointmentStatus): boolean {
  return TRUE_IN[kind].includes(status);
}

/** How far ahead of an appointment artists may remind their clients, in hours. */
export const REMINDER_CHOICES = [168, 72, 48, 24, 12, 4, 2] as const;
export type ReminderChoice = (typeof REMINDER_CHOICES)[number];
/** As many reminders as an appointment has at most. */
export const MOST_REMINDERS = 3;
