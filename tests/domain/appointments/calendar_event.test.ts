import { createEvent } from 'ics';
import { expect, it } from 'vitest';
import {
  calendarUid,
  confirmationUrl,
  foldIcsLines,
  formatAddressLines,
  toCalendarEvent,
  toIcsFields,
} from '#domain/appointments/calendar_event.ts';

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
  const url = confirmationUrl('https://book.example.com', ID);
  const times = { start: '2026-12-01T15:00:00Z', end: '2026-12-01T16:59:00Z' };
  const event = toCalendarEvent({ ...times, url }, studio);
  expect(event).toEqual({
    title: 'Tattoo Appointment',
    description: 'Tattoo appointment at Ink & Ivory.',
    location: 'Ink & Ivory, 12 Orchard Street, Floor 2, New York, NY 10002',
    start: Date.parse('2026-12-01T15:00:00Z'),
    end: Date.parse('2026-12-01T17:00:00Z'),
    url: `https://book.example.com/confirmation/${ID}`,
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

it.each(
  `http://localhost:4321 http://127.0.0.1:4321 https://book.example.com http://[::1]:4321
  http://my_studio.lan:4321 http://localhost:0 http://book.example.com:8 http://studio`.split(
    /\s+/,
  ),
)('a calendar file of a site at %s can be written', (siteUrl) => {
  const times = { start: '2026-12-01T15:00:00Z', end: '2026-12-01T16:59:00Z' };
  const event = toCalendarEvent({ ...times, url: confirmationUrl(siteUrl, ID) }, studio);
  const identity = { uid: 'uid@linework', sequence: 1, organizer: null };
  const { error, value } = createEvent(toIcsFields(event, identity));
  expect(error).toBeNull();
  expect(value).toContain('\r\nPRODID:-//Linework//Linework//EN\r\n');
});

it.each(['x', 'é', '刺', '🐦'])(
  'lines of %s fold at 75 octets, never inside a character',
  (character) => {
    const line = `URL:${character.repeat(100)}`;
    // Folded elsewhere before.
    const folded = foldIcsLines(`${line.slice(0, 80)}\r\n\t${line.slice(80)}\r\nEND:VEVENT\r\n`);
    const lines = folded.split('\r\n');
    expect(lines.slice(-2)).toEqual(['END:VEVENT', '']);
    for (const [nth, one] of lines.slice(0, -3).entries()) {
      const octets = Buffer.byteLength(one);
      expect(octets, `${nth}`).toBeLessThanOrEqual(75);
      expect(octets, `${nth}`).toBeGreaterThan(75 - Buffer.byteLength(character));
    }
    expect(folded.replaceAll('\r\n ', '')).toBe(`${line}\r\nEND:VEVENT\r\n`);
  },
);
