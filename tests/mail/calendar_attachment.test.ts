import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { calendarUid } from '#domain/calendar_event.ts';
import { type AppointmentSnapshot, MAIL_KINDS } from '#domain/mail.ts';
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

async function readCalendar(
  kind: 'booked' | 'moved' | 'cancelled',
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
  expect(files.map(({ calendar }) => calendar.getFirstPropertyValue('method'))).toEqual([
    'REQUEST',
    'REQUEST',
    'CANCEL',
  ]);
  expect(files.map(({ component }) => component.getFirstPropertyValue('status'))).toEqual([
    'CONFIRMED',
    'CONFIRMED',
    'CANCELLED',
  ]);
  expect(moved.event.startDate.toJSDate().getTime()).toBe(APPOINTMENT_START + HOUR);
  for (const { content } of files) expect(content).not.toContain(APPOINTMENT.id);
});

test('a calendar event has the time, the place, the organizer and the attendee', async () => {
  const { event, component } = await readCalendar('booked');
  expect(event.startDate.toString()).toBe('2026-12-01T15:00:00Z');
  expect(event.endDate.toString()).toBe('2026-12-01T17:00:00Z');
  expect(event.location).toBe('Reyes Tattoo, 1 Example Street, Floor 2, New York, NY 10001');
  expect(event.description).toBe('Tattoo appointment at Reyes Tattoo.');
  const organizer = component.getFirstProperty('organizer');
  expect(organizer?.getFirstParameter('cn')).toBe('Ana Reyes');
  expect(String(organizer?.getFirstValue()).toLowerCase()).toBe('mailto:ana@example.com');
  const attendee = component.getFirstProperty('attendee');
  expect(attendee?.getFirstParameter('partstat')).toBe('ACCEPTED');
  expect(attendee?.getFirstParameter('rsvp')).toBe('FALSE');
  expect(attendee?.getFirstValue()).toBe('mailto:rosa@example.com');
});

test('only booked, moved and cancelled mails carry a calendar event', async () => {
  for (const kind of MAIL_KINDS) {
    const mail = await renderMail(SITE, [createNotice(kind)], { ...PROVEN, token: 'token' });
    const hasEvent = kind === 'booked' || kind === 'moved' || kind === 'cancelled';
    expect(mail.calendar !== undefined, kind).toBe(hasEvent);
  }
  const neverBooked = createAppointmentNotice('cancelled', { wasBooked: false });
  expect((await renderMail(SITE, [neverBooked], PROVEN)).calendar).toBeUndefined();
});

test('an event across a clock change has the correct duration', async () => {
  const start = Date.parse('2026-11-01T05:30:00Z');
  const { event } = await readCalendar('booked', { time: { start, end: start + 2 * HOUR } });
  expect(event.startDate.toString()).toBe('2026-11-01T05:30:00Z');
  expect(event.endDate.toString()).toBe('2026-11-01T07:30:00Z');
});

test.each([
  'Ana "Inky" Reyes',
  'Ana;Reyes:Tattoo, Inc.',
  'Ana\r\nATTENDEE;CN=Evil:evil',
  'Łukasz 🐦 אנה',
  `${'Ana '.repeat(40)}Reyes`,
])('a name cannot break a calendar event: %j', async (name) => {
  const { event, component } = await readCalendar('booked', {
    artist: { ...APPOINTMENT.artist, name },
    client: { ...APPOINTMENT.client, name },
    studio: { ...APPOINTMENT.studio, name },
  });
  expect(component.getAllProperties('attendee')).toHaveLength(1);
  expect(event.location).toContain('1 Example Street');
  const organizerName = component.getFirstProperty('organizer')?.getFirstParameter('cn');
  expect(organizerName).toBe(name.replaceAll('"', "'").replace('\r\n', ' '));
});
