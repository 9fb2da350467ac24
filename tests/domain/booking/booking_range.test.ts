import { expect, test } from 'vitest';
import { type BookingRange, bookableDates } from '#domain/booking/booking_range.ts';

function dates(range: BookingRange, now: string, zone = 'America/New_York') {
  return bookableDates(range, zone, Date.parse(now));
}

const OPEN: BookingRange = { kind: 'open' };
const rolling = (days: number): BookingRange => ({ kind: 'rolling', days });
const DECEMBER: BookingRange = { kind: 'fixed', start: '2026-12-01', end: '2027-01-31' };
const FOR_EVER: BookingRange = { kind: 'fixed', start: '2026-01-01', end: '2199-12-31' };

test.each([
  ['a rolling range is today and the days after', rolling(60), '06-01', '2026-06-01', '2026-07-31'],
  ['a rolling range of 0 days is only today', rolling(0), '06-01', '2026-06-01', '2026-06-01'],
  ['a fixed range is bookable while it lies ahead', DECEMBER, '06-01', '2026-12-01', '2027-01-31'],
  ['a fixed range goes on from today', DECEMBER, '12-24', '2026-12-24', '2027-01-31'],
  ['an open range ends after 24 months', OPEN, '06-15', '2026-06-15', '2028-06-15'],
  ['a long rolling range ends then too', rolling(731), '06-15', '2026-06-15', '2028-06-15'],
  ['a fixed range that ends later, too', FOR_EVER, '06-15', '2026-06-15', '2028-06-15'],
])('%s', (_title, range, today, first, last) => {
  expect(dates(range, `2026-${today}T12:00Z`)).toEqual({ first, last });
});

test('on a leap day, 24 months end on the last day of February', () => {
  expect(dates(OPEN, '2028-02-29T12:00Z').last).toBe('2030-02-28');
});

test('a fixed range is bookable on its last date in the studio’s zone, and empty afterwards', () => {
  const lastDate = { first: '2027-01-31', last: '2027-01-31' };
  expect(dates(DECEMBER, '2027-02-01T04:59Z')).toEqual(lastDate);
  const { first, last } = dates(DECEMBER, '2027-02-01T05:00Z');
  expect(last < first).toBe(true);
});

test('a fixed range is empty while it starts more than 24 months ahead', () => {
  const { first, last } = dates(DECEMBER, '2024-11-30T12:00Z');
  expect(last < first).toBe(true);
});

test.each([
  ['America/New_York', '2026-06-02T03:59Z', '2026-06-01'],
  ['America/New_York', '2026-06-02T04:00Z', '2026-06-02'],
  ['Pacific/Kiritimati', '2026-06-01T10:00Z', '2026-06-02'],
  ['Pacific/Pago_Pago', '2026-06-01T10:59Z', '2026-05-31'],
  // The night before the clocks change, and the night when they do.
  ['America/New_York', '2026-03-08T04:59Z', '2026-03-07'],
  ['America/New_York', '2026-03-08T05:00Z', '2026-03-08'],
  ['America/New_York', '2026-03-09T03:59Z', '2026-03-08'],
  ['America/New_York', '2026-03-09T04:00Z', '2026-03-09'],
])("today is the date in the studio's zone: in %s at %s", (zone, now, today) => {
  expect(dates(rolling(0), now, zone)).toEqual({ first: today, last: today });
});
