import fc from 'fast-check';
import { expect, it } from 'vitest';
import { googleCalendarUrl, outlookCalendarUrl } from '#domain/calendar_links.ts';

const entry = {
  title: 'Tattoo Appointment',
  description: 'Tattoo appointment at Ink & Ivory.',
  location: 'Ink & Ivory, 12 Orchard Street, New York, NY 10002',
  start: Date.parse('2026-12-01T15:00:00Z'),
  end: Date.parse('2026-12-01T17:00:00Z'),
};

it('Google’s link parses back to the entry, in UTC', () => {
  const { searchParams } = new URL(googleCalendarUrl(entry));
  expect(Object.fromEntries(searchParams)).toEqual({
    action: 'TEMPLATE',
    text: entry.title,
    dates: '20261201T150000Z/20261201T170000Z',
    details: entry.description,
    location: entry.location,
  });
});

it('Outlook’s link parses back to the entry, in UTC and without pluses', () => {
  const link = outlookCalendarUrl(entry);
  expect(link).not.toContain('+');
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: entry.title,
    startdt: '2026-12-01T15:00:00Z',
    enddt: '2026-12-01T17:00:00Z',
    body: entry.description,
    location: entry.location,
  });
});

it('whatever a studio is called, the links carry it whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (location) => {
      for (const link of [googleCalendarUrl, outlookCalendarUrl]) {
        expect(new URL(link({ ...entry, location })).searchParams.get('location')).toBe(location);
      }
    }),
  );
});
