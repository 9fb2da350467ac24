import { expect, it } from 'vitest';
import { calendarUid, formatAddressLines, toCalendarEvent } from '#domain/calendar_event.ts';

const ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0c01';
const studio = {
  name: 'Ink & Ivory',
  address_one: '12 Orchard Street',
  address_two: 'Floor 2',
  city: 'New York',
  state: 'NY',
  zip_code: '10002',
};

it('an event ends one minute after the last minute, included', () => {
  const event = toCalendarEvent('2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z', studio);
  expect(event).toEqual({
    title: 'Tattoo Appointment',
    description: 'Tattoo appointment at Ink & Ivory.',
    location: 'Ink & Ivory, 12 Orchard Street, Floor 2, New York, NY 10002',
    start: Date.parse('2026-12-01T15:00:00Z'),
    end: Date.parse('2026-12-01T17:00:00Z'),
  });
});

it('an address without a second line has no empty line', () => {
  expect(formatAddressLines({ ...studio, address_two: null })).toEqual([
    '12 Orchard Street',
    'New York, NY 10002',
  ]);
});

it('a UID is stable and unique for each appointment, and does not contain its id', async () => {
  const uid = await calendarUid(ID);
  expect(uid).toMatch(/^[0-9a-f]{64}@linework$/);
  expect(await calendarUid(ID.toUpperCase())).toBe(uid);
  expect(await calendarUid(ID.replace('c01', 'c02'))).not.toBe(uid);
  expect(uid).not.toContain(ID.slice(0, 8));
});
