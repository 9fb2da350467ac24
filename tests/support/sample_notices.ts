import {
  type AppointmentMailData,
  type AppointmentSnapshot,
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
  type MailData,
  type MailKind,
} from '#domain/mail/mail.ts';
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
  avatar: null,
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

/** What a mail says of a studio that was in Los Angeles. */
export const NEW_ZONE = {
  hasNewAddress: false,
  hasNewZone: true,
  kept: 'moments',
  zoneBefore: 'America/Los_Angeles',
} as const;

const ARTIST = {
  id: 'a0000000-0000-4000-8000-000000000001',
  name: 'Ana Reyes',
  email: 'ana@example.com',
};

const ANY_ID = 'c0000000-0000-4000-8000-000000000001';
/** The facts of all notices about an account. */
export const ACCOUNT_FACTS = {
  artist: { ...ARTIST, username: 'ana' },
  message: {
    id: ANY_ID,
    name: 'Rosa Diaz',
    email: 'rosa@example.com',
    text: 'Do you do cover-ups?\n<b>Rosa</b>',
  },
  client: {
    id: 'b0000000-0000-4000-8000-000000000001',
    name: 'Rosa Diaz',
    email: 'rosa@example.com',
  },
  request: { id: ANY_ID, kind: 'copy' },
  alarm: ANY_ID,
  bookings: 24,
  occasion: 'once',
  browser: 'Chrome on Android',
  at: APPOINTMENT_START,
  change: ANY_ID,
  newEmail: 'n•••@example.com',
  oldEmail: 'o•••@example.com',
  passkey: ANY_ID,
  export: ANY_ID,
  subscription: 'sub_1',
  until: APPOINTMENT_START,
} as const;

/** A notice of the kind. The changes apply to `APPOINTMENT`, if it is about one. */
export function createNotice(kind: MailKind, changes: Partial<AppointmentSnapshot> = {}): MailData {
  if (isAppointmentKind(kind)) return createAppointmentNotice(kind, changes);
  const zone = kind === 'new_browser_login' ? 'Europe/Berlin' : 'America/New_York';
  if (kind !== 'links') return { kind, ...ACCOUNT_FACTS, zone };
  const appointment = { ...APPOINTMENT, ...changes };
  const appointments = [{ status: 'confirmed', appointment }] as const;
  return { kind, artist: ARTIST, email: 'rosa@example.com', appointments, occasion: 'once' };
}

function isAppointmentKind(kind: MailKind): kind is AppointmentMailData['kind'] {
  return [...CLIENT_MAIL_KINDS, ...ARTIST_MAIL_KINDS].some((one) => one === kind);
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
