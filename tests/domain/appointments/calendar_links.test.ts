import fc from 'fast-check';
import { expect, it } from 'vitest';
import { googleCalendarUrl, outlookCalendarUrl } from '#domain/appointments/calendar_links.ts';

const event = {
  title: 'Tattoo Appointment',
  description: 'Tattoo appointment at Ink & Ivory.',
  location: 'Ink & Ivory, 12 Orchard Street, New York, NY 10002',
  start: Date.parse('2026-12-01T15:00:00Z'),
  end: Date.parse('2026-12-01T17:00:00Z'),
  url: 'https://book.example.com/confirmation/6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0c01',
};

it('the Google link contains the event in UTC, without a link to the page: who reads that calendar could act there', () => {
  const { searchParams } = new URL(googleCalendarUrl(event));
  expect(Object.fromEntries(searchParams)).toEqual({
    action: 'TEMPLATE',
    text: event.title,
    dates: '20261201T150000Z/20261201T170000Z',
    details: 'Tattoo appointment at Ink & Ivory.',
    location: event.location,
  });
});

it('the Outlook link contains the event in UTC, without a link to the page and without plus signs', () => {
  const link = outlookCalendarUrl(event);
  expect(link).not.toContain('+');
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: '2026-12-01T15:00:00Z',
    enddt: '2026-12-01T17:00:00Z',
    body: 'Tattoo appointment at Ink & Ivory.',
    location: event.location,
  });
});

it('the links carry any location unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (location) => {
      for (const link of [googleCalendarUrl, outlookCalendarUrl]) {
        expect(new URL(link({ ...event, location })).searchParams.get('location')).toBe(location);
      }
    }),
  );
});
