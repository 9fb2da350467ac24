import { describe, expect, test } from 'vitest';
import { type BookingRange, bookableDates, DEFAULT_BOOKING_RANGE } from '#domain/booking_range.ts';

const NEW_YORK = 'America/New_York';

function dates(range: BookingRange, now: string, zone = NEW_YORK) {
  return bookableDates(range, zone, Date.parse(now));
}

describe('a rolling range', () => {
  test('is today and the given number of days after it', () => {
    expect(dates({ kind: 'rolling', days: 60 }, '2026-06-01T12:00Z')).toEqual({
      first: '2026-06-01',
      last: '2026-07-31',
    });
  });

  test('of 0 days is only today', () => {
    expect(dates({ kind: 'rolling', days: 0 }, '2026-06-01T12:00Z')).toEqual({
      first: '2026-06-01',
      last: '2026-06-01',
    });
  });

  test('of 60 days is the default for a new artist', () => {
    expect(DEFAULT_BOOKING_RANGE).toEqual({ kind: 'rolling', days: 60 });
  });
});

describe('a fixed range', () => {
  const december: BookingRange = { kind: 'fixed', start: '2026-12-01', end: '2027-01-31' };

  test('is bookable entirely while it lies in the future', () => {
    expect(dates(december, '2026-06-01T12:00Z')).toEqual({
      first: '2026-12-01',
      last: '2027-01-31',
    });
  });

  test('is bookable from today once it has begun', () => {
    expect(dates(december, '2026-12-24T12:00Z')).toEqual({
      first: '2026-12-24',
      last: '2027-01-31',
    });
  });

  test('is bookable on its last date', () => {
    expect(dates(december, '2027-02-01T04:59Z')).toEqual({
      first: '2027-01-31',
      last: '2027-01-31',
    });
  });

  test('is empty after its last date', () => {
    const { first, last } = dates(december, '2027-02-01T05:00Z');
    expect(last < first).toBe(true);
  });

  test('is empty while it starts more than 24 months ahead', () => {
    const { first, last } = dates(december, '2024-11-30T12:00Z');
    expect(last < first).toBe(true);
  });
});

describe('the limit of 24 months ahead', () => {
  test.each<[string, BookingRange]>([
    ['an open range', { kind: 'open' }],
    ['a long rolling range', { kind: 'rolling', days: 731 }],
    ['a fixed range that ends later', { kind: 'fixed', start: '2026-01-01', end: '2199-12-31' }],
  ])('ends %s', (_title, range) => {
    expect(dates(range, '2026-06-15T12:00Z')).toEqual({ first: '2026-06-15', last: '2028-06-15' });
  });

  test('on a leap day is the last day of February', () => {
    expect(dates({ kind: 'open' }, '2028-02-29T12:00Z').last).toBe('2030-02-28');
  });
});

describe("today is the date in the studio's zone", () => {
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
  ])('in %s at %s', (zone, now, today) => {
    expect(dates({ kind: 'rolling', days: 0 }, now, zone)).toEqual({ first: today, last: today });
  });
});
