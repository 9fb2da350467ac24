import type { AppointmentStatus, BodyLocation, TattooSize } from './appointment.ts';
import type { StudioAddress } from './calendar_event.ts';
import type { Instant } from './time.ts';

/** What clients are told of their appointment. */
export const CLIENT_MAIL_KINDS = [
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
export const ARTIST_MAIL_KINDS = ['new_request', 'new_booking', 'offer_lapsed'] as const;

/** What artists are told of anything else. */
const ACCOUNT_MAIL_KINDS = [
  'contact_message',
  'welcome',
  'password_recovery',
  'password_changed',
  'payment_failed',
  'subscription_ended',
] as const;

export const MAIL_KINDS = [
  ...CLIENT_MAIL_KINDS,
  ...ARTIST_MAIL_KINDS,
  ...ACCOUNT_MAIL_KINDS,
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
export type ClientMailKind = (typeof CLIENT_MAIL_KINDS)[number];
export type ArtistMailKind = (typeof ARTIST_MAIL_KINDS)[number];

/** What becomes of a mail; a `dropped` one was no longer true when its turn came. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'dropped'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A studio as mails name it. `time_zone` is an IANA name. */
interface MailStudio extends StudioAddress {
  readonly time_zone: string;
}

/** An appointment as it was when something happened to it. Kept as JSON: plain values alone. */
export interface AppointmentSnapshot {
  readonly id: string;
  /** Grows with every change: the SEQUENCE of calendar files (RFC 5545, 3.8.7.4). */
  readonly version: number;
  /** Whether it had been booked: only then is it in the client's calendar. */
  readonly wasBooked: boolean;
  /** Whether it went with the artist's account: it has no page any more. */
  readonly isGone: boolean;
  readonly artist: { readonly username: string; readonly name: string; readonly email: string };
  readonly studio: MailStudio;
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
  readonly location: BodyLocation | null;
  readonly size: TattooSize | null;
  /** What the client wrote with their request. */
  readonly wishes: string | null;
  /** What the artist wrote with declining or cancelling. */
  readonly note: string | null;
}

/** Someone with an account. */
export interface AccountSnapshot {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Something that one person is to be told. */
export type MailData =
  | {
      readonly kind: Exclude<ClientMailKind, 'reminder'>;
      readonly appointment: AppointmentSnapshot;
    }
  | {
      readonly kind: 'reminder';
      readonly appointment: AppointmentSnapshot;
      /** How long before the start. */
      readonly hours: number;
    }
  | { readonly kind: ArtistMailKind; readonly appointment: AppointmentSnapshot }
  | {
      readonly kind: 'contact_message';
      readonly artist: AccountSnapshot;
      readonly message: {
        readonly id: string;
        readonly name: string;
        readonly email: string;
        readonly text: string;
      };
    }
  | { readonly kind: 'welcome'; readonly artist: AccountSnapshot & { readonly username: string } }
  | {
      readonly kind: 'password_recovery' | 'password_changed';
      readonly artist: AccountSnapshot;
      /** Tells one time from another. */
      readonly occasion: string;
    }
  | {
      readonly kind: 'payment_failed' | 'subscription_ended';
      readonly artist: AccountSnapshot;
      readonly subscription: string;
      /** Until when the artist takes bookings all the same, or since when they do not. */
      readonly until: Instant;
      /** The studio's, an IANA name. */
      readonly zone: string;
    };

/** A notice about an appointment. */
export type AppointmentMailData = Extract<MailData, { appointment: AppointmentSnapshot }>;

const CLIENT_KINDS: ReadonlySet<MailKind> = new Set(CLIENT_MAIL_KINDS);

export function isClientMailKind(kind: MailKind): kind is ClientMailKind {
  return CLIENT_KINDS.has(kind);
}

/** Where a notice goes; null when the client left no email. */
export function recipientAddress(notice: MailData): string | null {
  if (!('appointment' in notice)) return notice.artist.email;
  const { artist, client } = notice.appointment;
  return isClientMailKind(notice.kind) ? client.email : artist.email;
}

/** What a notice is sent for, as a key: what has the same one is the same notice. */
export function deduplicationKey(notice: MailData): string {
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
const RELEVANT_STATUSES: Record<ClientMailKind | ArtistMailKind, readonly AppointmentStatus[]> = {
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
export function isStillRelevant(
  kind: ClientMailKind | ArtistMailKind,
  status: AppointmentStatus,
): boolean {
  return RELEVANT_STATUSES[kind].includes(status);
}

/** How far ahead of an appointment artists may remind their clients, in hours. */
export const REMINDER_HOURS_CHOICES = [168, 72, 48, 24, 12, 4, 2] as const;
export type ReminderChoice = (typeof REMINDER_HOURS_CHOICES)[number];
/** As many reminders as an appointment has at most. */
export const MAX_REMINDERS = 3;
