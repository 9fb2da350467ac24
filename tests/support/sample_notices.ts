import type { AppointmentMailData, AppointmentSnapshot, MailData, MailKind } from '#domain/mail.ts';
import { createMail } from '#server/mail/create_mail.ts';
import type { MailOptions, Site } from '#server/mail/mail_content.ts';
import { NEW_YORK } from './sample_people.ts';

export const SITE = {
  productName: 'Linework',
  siteUrl: 'https://book.example.com',
  apiUrl: 'https://book.example.com',
  senderEmail: 'no-reply@book.example.com',
};

/** The options of a mail whose recipient and artist have both used a mailed link. */
export const PROVEN: MailOptions = {
  isKnownToArtist: true,
  isAppointmentProven: true,
  isArtistProven: true,
  shownArtistEmail: 'ana@example.com',
  artistPicture: null,
  token: null,
  mailTokenOf: () => null,
  stopToken: null,
};

/** 10:00 AM on a Tuesday in New York. */
export const APPOINTMENT_START = Date.parse('2026-12-01T15:00:00Z');
export const HOUR = 3_600_000;

export const APPOINTMENT: AppointmentSnapshot = {
  id: '7d7c1f0e-5b0a-4c1e-9a59-0d4c8b0f2a11',
  version: 3,
  wasBooked: true,
  by: 'artist',
  isGone: false,
  artist: {
    username: 'ana',
    name: 'Ana Reyes',
    email: 'ana@example.com',
    publicEmail: 'ana@example.com',
  },
  studio: { name: 'Reyes Tattoo', ...NEW_YORK, address_two: 'P.O.Box 5' },
  client: { name: 'Rosa Diaz', email: 'rosa@example.com', phone: '+12125550123' },
  service: 'Flash',
  design: 'Swallow',
  time: { start: APPOINTMENT_START, end: APPOINTMENT_START + 2 * HOUR },
  movedFrom: null,
  expiresAt: APPOINTMENT_START - 24 * HOUR,
  isReserved: true,
  location: 'arms',
  size: 'small',
  wishes: 'A swallow, please.\nOn the arm.',
  note: 'I am away that week.',
};

const ARTIST = {
  id: 'a0000000-0000-4000-8000-000000000001',
  name: 'Ana Reyes',
  email: 'ana@example.com',
};

const CLIENT_ID = 'b0000000-0000-4000-8000-000000000001';
const CHANGE_ID = 'c0000000-0000-4000-8000-000000000001';

/** A notice of the kind. The changes apply to `APPOINTMENT`, if it is about one. */
export function createNotice(kind: MailKind, changes: Partial<AppointmentSnapshot> = {}): MailData {
  switch (kind) {
    case 'contact_message':
      return {
        kind,
        artist: ARTIST,
        message: {
          id: 'm0000000-0000-4000-8000-000000000001',
          name: 'Rosa Diaz',
          email: 'rosa@example.com',
          text: 'Do you do cover-ups?\n<b>Rosa</b>',
        },
      };
    case 'links':
      return {
        kind,
        artist: ARTIST,
        email: 'rosa@example.com',
        appointments: [{ status: 'confirmed', appointment: { ...APPOINTMENT, ...changes } }],
        occasion: 'once',
      };
    case 'data_requested':
      return {
        kind,
        artist: ARTIST,
        client: { id: CLIENT_ID, name: 'Rosa Diaz', email: 'rosa@example.com' },
        request: { id: CHANGE_ID, kind: 'copy' },
      };
    case 'booking_alarm':
      return { kind, artist: ARTIST, alarm: 'a0000000-0000-4000-8000-000000000001', bookings: 24 };
    case 'welcome':
      return { kind, artist: { ...ARTIST, username: 'ana' } };
    case 'password_recovery':
    case 'recovery_link_created':
    case 'password_changed':
    case 'prove_email':
      return { kind, artist: ARTIST, occasion: 'once' };
    case 'new_browser_login':
      return {
        kind,
        artist: ARTIST,
        browser: 'Chrome on Android',
        zone: 'Europe/Berlin',
        at: APPOINTMENT_START,
      };
    case 'email_change_requested':
    case 'email_changed':
      return {
        kind,
        artist: ARTIST,
        change: CHANGE_ID,
        newEmail: 'n•••@example.com',
        occasion: 'once',
      };
    case 'email_change_undone':
      return { kind, artist: ARTIST, change: CHANGE_ID };
    case 'email_taken_back':
      return { kind, artist: ARTIST, change: CHANGE_ID, oldEmail: 'o•••@example.com' };
    case 'public_email_changed':
      return { kind, artist: ARTIST, newEmail: 'n•••@example.com', occasion: 'once' };
    case 'passkey_added':
    case 'passkey_removed':
      return { kind, artist: ARTIST, passkey: CHANGE_ID, browser: 'Chrome on Android' };
    case 'export_ready':
      return {
        kind,
        artist: ARTIST,
        export: CHANGE_ID,
        until: APPOINTMENT_START,
        zone: 'America/New_York',
      };
    case 'account_deleted':
      return { kind, artist: ARTIST };
    case 'payment_failed':
    case 'subscription_ended':
      return {
        kind,
        artist: ARTIST,
        subscription: 'sub_1',
        until: APPOINTMENT_START,
        zone: 'America/New_York',
      };
    default:
      return createAppointmentNotice(kind, changes);
  }
}

/** A notice about an appointment. */
export function createAppointmentNotice(
  kind: AppointmentMailData['kind'],
  changes: Partial<AppointmentSnapshot> = {},
): AppointmentMailData {
  const appointment = { ...APPOINTMENT, ...changes };
  if (kind === 'email_change_link')
    return {
      kind,
      appointment: { ...appointment, newEmail: 'maria@example.org' },
      occasion: 'once',
    };
  return kind === 'reminder' ? { kind, appointment, hours: 24 } : { kind, appointment };
}

/** Renders notices that have the same trust. */
export function renderMail(
  site: Site,
  notices: readonly MailData[],
  options: MailOptions,
  { isInCalendar = true } = {},
) {
  return createMail(
    site,
    notices.map((notice) => ({ notice, ...options })),
    options,
    { isInCalendar, keepOrganizer: async () => undefined },
  );
}
