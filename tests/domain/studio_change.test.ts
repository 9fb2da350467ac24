import { describe, expect, test } from 'vitest';
import {
  type CalendarTime,
  compareStudios,
  keepClockTime,
  studioChangeText,
  undoneTime,
} from '#domain/studio_change.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';

const NEW_YORK = 'America/New_York';
const CHICAGO = 'America/Chicago';
const NOW = Date.parse('2026-11-24T15:00:00Z');

/** An hour with a buffer of 15 minutes. */
function hourAt(start: string, changes: Partial<CalendarTime> = {}): CalendarTime {
  const at = Date.parse(start);
  return {
    start: at,
    end: at + HOUR_MS,
    blockedUntil: at + HOUR_MS + 15 * MINUTE_MS,
    isReserved: true,
    expiresAt: null,
    ...changes,
  };
}

describe('clock times in a new time zone', () => {
  test('an appointment keeps its clock time, its length and its buffer', () => {
    const moved = keepClockTime(
      hourAt('2026-12-01T15:00:00Z'),
      { from: NEW_YORK, to: 'America/Los_Angeles' },
      NOW,
    );
    expect(moved).toEqual(hourAt('2026-12-01T18:00:00Z'));
  });

  test('a zone with the same clocks moves nothing', () => {
    const zones = { from: NEW_YORK, to: 'America/Toronto' };
    expect(keepClockTime(hourAt('2026-12-01T15:00:00Z'), zones, NOW)).toBeNull();
  });

  test('a time that the change of clocks skips becomes the next minute that exists', () => {
    // 02:30 in Phoenix, which New York skips that day.
    const time = hourAt('2027-03-14T09:30:00Z');
    const moved = keepClockTime(time, { from: 'America/Phoenix', to: NEW_YORK }, NOW);
    expect(moved?.start).toBe(Date.parse('2027-03-14T07:00:00Z'));
  });

  test('a time that occurs twice becomes its first occurrence', () => {
    // 01:30 in Phoenix; in New York first 05:30 and then 06:30 UTC.
    const time = hourAt('2027-11-07T08:30:00Z');
    const moved = keepClockTime(time, { from: 'America/Phoenix', to: NEW_YORK }, NOW);
    expect(moved?.start).toBe(Date.parse('2027-11-07T05:30:00Z'));
  });

  test('a deadline stays, but is never after the start', () => {
    const time = (expiresAt: string) =>
      hourAt('2026-11-24T19:00:00Z', { expiresAt: Date.parse(expiresAt) });
    const zones = { from: CHICAGO, to: NEW_YORK };
    const deadlineOf = (expiresAt: string) => keepClockTime(time(expiresAt), zones, NOW)?.expiresAt;
    expect(deadlineOf('2026-11-24T16:00:00Z')).toBe(Date.parse('2026-11-24T16:00:00Z'));
    expect(deadlineOf('2026-11-24T18:30:00Z')).toBe(Date.parse('2026-11-24T18:00:00Z'));
  });

  test('a time that moves into the past reserves nothing', () => {
    const zones = { from: CHICAGO, to: NEW_YORK };
    const [start, end] = [NOW + 10 * MINUTE_MS, NOW + 40 * MINUTE_MS];
    const soon = { ...hourAt('2026-11-24T15:10:00Z'), start, end };
    expect(keepClockTime(soon, zones, NOW)).toMatchObject({
      start: start - HOUR_MS,
      isReserved: false,
    });
  });

  test('a time that is over in both zones stays, and one that is ahead in either moves', () => {
    const zones = { from: NEW_YORK, to: CHICAGO };
    expect(keepClockTime(hourAt('2026-11-24T12:00:00Z'), zones, NOW)).toBeNull();
    // Over by New York's clocks, but an hour from now by Chicago's.
    expect(keepClockTime(hourAt('2026-11-24T14:00:00Z'), zones, NOW)?.start).toBe(NOW);
  });
});

describe('undoing a move', () => {
  const before = hourAt('2026-12-01T15:00:00Z', { expiresAt: NOW + HOUR_MS });
  const after = hourAt('2026-12-01T16:00:00Z', { expiresAt: NOW + 2 * HOUR_MS });
  const isOpen = true;

  test('an unchanged time gets all back that it had', () => {
    expect(undoneTime({ before, after }, after, isOpen)).toEqual(before);
  });

  test('a time that was set since stays', () => {
    const current = hourAt('2026-12-02T15:00:00Z');
    expect(undoneTime({ before, after }, current, isOpen)).toBeNull();
  });

  test('a client who confirmed since has no deadline again', () => {
    const current = { ...after, expiresAt: null };
    expect(undoneTime({ before, after }, current, isOpen)?.expiresAt).toBeNull();
  });

  test('a time that was released since, or whose appointment is closed, reserves nothing', () => {
    const released = { ...after, isReserved: false };
    expect(undoneTime({ before, after }, released, isOpen)?.isReserved).toBe(false);
    expect(undoneTime({ before, after }, after, !isOpen)?.isReserved).toBe(false);
  });

  test('a time that the move itself released is reserved again', () => {
    const past = { ...after, isReserved: false };
    expect(undoneTime({ before, after: past }, past, isOpen)?.isReserved).toBe(true);
  });
});

test('the address and the time zone are compared field by field', () => {
  const studio = {
    address_one: '1 Example Street',
    address_two: null,
    city: 'New York',
    state: 'NY',
    zip_code: '10001',
    time_zone: NEW_YORK,
  };
  const compare = (changes: object) => compareStudios(studio, changes);
  expect(compare({})).toEqual({ hasNewAddress: false, hasNewZone: false });
  expect(compare({ name: 'Quint', city: 'New York' })).toEqual({
    hasNewAddress: false,
    hasNewZone: false,
  });
  expect(compare({ city: 'Boston' })).toEqual({ hasNewAddress: true, hasNewZone: false });
  expect(compare({ time_zone: CHICAGO })).toEqual({ hasNewAddress: false, hasNewZone: true });
});

test('clients read what is new and what stays', () => {
  const both = { hasNewAddress: true, hasNewZone: true };
  expect(studioChangeText(both, 'moments')).toEqual({
    title: 'New address and time zone',
    news: 'a new address and time zone',
    consequence: 'Your appointment stays at the same moment, which clocks there show differently.',
  });
  expect(studioChangeText({ ...both, hasNewAddress: false }, 'clock_times')).toMatchObject({
    title: 'New time zone',
    consequence:
      'Your appointment stays at the same time on the clocks there, which is another moment.',
  });
  expect(studioChangeText({ ...both, hasNewZone: false }, 'moments')).toMatchObject({
    title: 'New address',
    news: 'a new address',
    consequence: 'The time of your appointment stays.',
  });
});
