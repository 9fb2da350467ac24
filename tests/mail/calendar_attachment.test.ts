import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { calendarUid } from '#domain/appointments/calendar_event.ts';
import { type AppointmentSnapshot, MAIL_KINDS } from '#domain/mail/mail.ts';
import {
  APPOINTMENT,
  APPOINTMENT_START,
  createAppointmentNotice,
  createNotice,
  HOUR,
  PROVEN,
  renderMail,
  SITE,
} from '#support/sample_notices.ts';
import { ODD_EMAIL } from '#support/sample_people.ts';

async function readCalendar(
  kind: 'booked' | 'moved' | 'cancelled' | 'new_booking' | 'client_moved' | 'client_cancelled',
  changes: Partial<AppointmentSnapshot> = {},
) {
  const mail = await renderMail(SITE, [createAppointmentNotice(kind, changes)], PROVEN);
  const { method, content } = mail.calendar ?? { content: '' };
  const calendar = new ICAL.Component(ICAL.parse(content));
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('No event');
  return { method, content, calendar, component, event: new ICAL.Event(component) };
}

test('booked, moved and cancelled mails update one calendar event (same UID, rising sequence)', async () => {
  const booked = await readCalendar('booked', { version: 2 });
  const moved = await readCalendar('moved', {
    version: 3,
    time: { start: APPOINTMENT_START + HOUR, end: APPOINTMENT_START + 3 * HOUR },
  });
  const cancelled = await readCalendar('cancelled', { version: 4 });
  const uid = await calendarUid(APPOINTMENT.id);
  const files = [booked, moved, cancelled];
  expect(files.map(({ event }) => event.uid)).toEqual([uid, uid, uid]);
  expect(files.map(({ event }) => event.sequence)).toEqual([2, 3, 4]);
  expect(files.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL']);
  for (const { calendar, method } of files)
    expect(calendar.getFirstPropertyValue('method')).toBe(method);
  expect(files.map(({ component }) => component.getFirstPropertyValue('status'))).toEqual([
    'CONFIRMED',
    'CONFIRMED',
    'CANCELLED',
  ]);
  expect(moved.event.startDate.toJSDate().getTime()).toBe(APPOINTMENT_START + HOUR);
  const links = files.map(({ component }) => component.getFirstPropertyValue('url'));
  const page = `https://book.example.com/confirmation/${APPOINTMENT.id}`;
  expect(links).toEqual([page, page, page]);
});

test('the entry of an appointment that was deleted with its account links to no page', async () => {
  const { component } = await readCalendar('cancelled', { isGone: true });
  expect(component.getFirstPropertyValue('url')).toBeNull();
});

test('a calendar event has the time, the place, the organizer and the attendee', async () => {
  const client = { ...APPOINTMENT.client, email: ODD_EMAIL };
  const { event, component } = await readCalendar('booked', { client });
  expect(event.startDate.toString()).toBe('2026-12-01T15:00:00Z');
  expect(event.endDate.toString()).toBe('2026-12-01T17:00:00Z');
  expect(event.location).toBe('Reyes Tattoo, 1 Example Street, P.O.Box 5, New York, NY 10001');
  expect(event.description).toBe('Tattoo appointment at Reyes Tattoo.');
  const organizer = component.getFirstProperty('organizer');
  expect(organizer?.getFirstParameter('cn')).toBe('Ana Reyes');
  expect(String(organizer?.getFirstValue()).toLowerCase()).toBe('mailto:ana@example.com');
  const attendee = component.getFirstProperty('attendee');
  expect(attendee?.getFirstParameter('partstat')).toBe('ACCEPTED');
  expect(attendee?.getFirstParameter('rsvp')).toBe('FALSE');
  const { protocol, pathname, search, hash } = new URL(String(attendee?.getFirstValue()));
  const address = decodeURIComponent(pathname);
  expect([protocol, address, search, hash]).toEqual(['mailto:', ODD_EMAIL, '', '']);
});

/** The kinds of mail that carry a calendar file, with its method. */
async function listCalendarMails(isInCalendar: boolean) {
  const methods: string[] = [];
  for (const kind of MAIL_KINDS) {
    const options = { ...PROVEN, token: 'token' };
    const { calendar } = await renderMail(SITE, [createNotice(kind)], options, { isInCalendar });
    if (calendar) methods.push(`${kind}: ${calendar.method}`);
  }
  return methods;
}

test('a calendar entry comes with what was booked or moved, and its removal only to who has it', async () => {
  const set = ['booked: REQUEST', 'moved: REQUEST'];
  const setForArtist = ['new_booking: REQUEST'];
  expect(await listCalendarMails(true)).toEqual([
    ...set,
    'cancelled: CANCEL',
    ...setForArtist,
    'client_cancelled: CANCEL',
    'client_moved: REQUEST',
  ]);
  // A reminder brings it to an address that does not have it yet.
  expect(await listCalendarMails(false)).toEqual([
    ...set,
    'reminder: REQUEST',
    ...setForArtist,
    'client_moved: REQUEST',
  ]);
});

test('the artist gets an entry of their own: another UID, titled with the client and the service', async () => {
  const booked = await readCalendar('new_booking', { version: 2 });
  const cancelled = await readCalendar('client_cancelled', { version: 4 });
  const uid = await calendarUid(APPOINTMENT.id, 'artist');
  expect([booked.event.uid, cancelled.event.uid]).toEqual([uid, uid]);
  expect(uid).not.toBe(await calendarUid(APPOINTMENT.id));
  expect(booked.event.summary).toBe('Rosa Diaz: Flash, Swallow');
  expect(booked.event.description).toBe(
    `https://book.example.com/studio/appointments?id=${APPOINTMENT.id}`,
  );
  expect(booked.component.getFirstPropertyValue('url')).toBeNull();
  const [attendee] = booked.component.getAllProperties('attendee');
  expect(attendee?.getFirstValue()).toBe('mailto:ana@example.com');
  // Calendar programs ignore an invitation from someone to themselves.
  const organizer = booked.component.getFirstPropertyValue('organizer');
  expect(String(organizer).toLowerCase()).toBe('mailto:no-reply@book.example.com');
});

test('an artist whose email is not proven gets no calendar file, and neither do their clients', async () => {
  const unproven = { ...PROVEN, isArtistProven: false, shownArtistEmail: null };
  for (const kind of ['new_booking', 'client_moved', 'booked', 'moved'] as const) {
    const { calendar } = await renderMail(SITE, [createAppointmentNotice(kind)], unproven);
    expect(calendar).toBeUndefined();
  }
});

test.each([
  'Ana "Inky" Reyes',
  'Ana;Reyes:Tattoo, Inc.',
  'Ana\r\nATTENDEE;CN=Evil:evil',
  'Łukasz 🐦 אנה',
  `${'Ana '.repeat(40)}Reyes`,
  '刺青'.repeat(40),
])('a name cannot break a calendar event, whose lines have at most 75 octets: %j', async (name) => {
  const { event, component, calendar, content } = await readCalendar('booked', {
    artist: { ...APPOINTMENT.artist, name },
    client: { ...APPOINTMENT.client, name },
    studio: { ...APPOINTMENT.studio, name },
  });
  expect(component.getAllProperties('attendee')).toHaveLength(1);
  expect(event.location).toContain('1 Example Street');
  const organizerName = component.getFirstProperty('organizer')?.getFirstParameter('cn');
  expect(organizerName).toBe(name.replaceAll('"', "'").replace('\r\n', ' '));
  expect(calendar.getFirstPropertyValue('prodid')).toBe('-//Linework//Linework//EN');
  for (const line of String(content).split('\r\n'))
    expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
});
