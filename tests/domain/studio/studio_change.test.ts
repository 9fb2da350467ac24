import { describe, expect, test } from 'vitest';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import {
  answerTimeChange,
  type CalendarTime,
  compareStudios,
  filterChangedTimes,
  studioChangeText,
  timeInNewZone,
  undoneTime,
} from '#domain/studio/studio_change.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';

const NEW_YORK = 'America/New_York';
const CHICAGO = 'America/Chicago';
const keep = 'clock_times' as const;
const TO_LA = { keep, from: NEW_YORK, to: 'America/Los_Angeles' };
const TO_TORONTO = { keep, from: NEW_YORK, to: 'America/Toronto' };
/** From where no clocks change. */
const TO_NY = { keep, from: 'America/Phoenix', to: NEW_YORK };
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
  test.each([
    ['keeps its length and its buffer', TO_LA, '2026-12-01T15:00', '2026-12-01T18:00'],
    ['stays in a zone with the same clocks', TO_TORONTO, '2026-12-01T15:00', null],
    ['takes the next minute if it is skipped', TO_NY, '2027-03-14T09:30', '2027-03-14T07:00'],
    ['is the first of two', TO_NY, '2027-11-07T08:30', '2027-11-07T05:30'],
  ])('an appointment at its clock time %s', (_, zones, start, moved) => {
    expect(timeInNewZone(hourAt(`${start}Z`), zones, NOW)).toEqual(moved && hourAt(`${moved}Z`));
  });

  test('a deadline stays, but is never after the start', () => {
    const time = (expiresAt: string) =>
      hourAt('2026-11-24T19:00:00Z', { expiresAt: Date.parse(expiresAt) });
    const zones = { keep, from: CHICAGO, to: NEW_YORK };
    const deadlineOf = (expiresAt: string) => timeInNewZone(time(expiresAt), zones, NOW)?.expiresAt;
    expect(deadlineOf('2026-11-24T16:00:00Z')).toBe(Date.parse('2026-11-24T16:00:00Z'));
    expect(deadlineOf('2026-11-24T18:30:00Z')).toBe(Date.parse('2026-11-24T18:00:00Z'));
  });

  test('a time that moves into the past reserves nothing', () => {
    const zones = { keep, from: CHICAGO, to: NEW_YORK };
    const [start, end] = [NOW + 10 * MINUTE_MS, NOW + 40 * MINUTE_MS];
    const soon = { ...hourAt('2026-11-24T15:10:00Z'), start, end };
    const moved = { start: start - HOUR_MS, isReserved: false };
    expect(timeInNewZone(soon, zones, NOW)).toMatchObject(moved);
  });

  test('a time that is over in both zones stays, and one that is ahead in either moves', () => {
    const zones = { keep, from: NEW_YORK, to: CHICAGO };
    expect(timeInNewZone(hourAt('2026-11-24T12:00:00Z'), zones, NOW)).toBeNull();
    // Over by New York's clocks, but an hour from now by Chicago's.
    expect(timeInNewZone(hourAt('2026-11-24T14:00:00Z'), zones, NOW)?.start).toBe(NOW);
  });
});

test.each([
  ['10:00', '10:00', '2026-12-01T15:00:00Z', false],
  ['10:00, an hour before the agreed time', '11:00', '2026-12-01T15:00:00Z', true],
  ['01:30 for the second time', '01:30', '2027-11-07T06:30:00Z', false],
  ['03:00, as clocks skip the agreed time', '02:30', '2027-03-14T07:00:00Z', true],
])('clocks show %s', (_, agreed, start, isChanged) => {
  const time = hourAt(start, {
    agreed: { zone: NEW_YORK, local: `${start.slice(0, 10)}T${agreed}` },
  });
  expect(filterChangedTimes([{ time }])).toHaveLength(isChanged ? 1 : 0);
  // No answer leaves anything to ask.
  for (const keep of ['moments', 'clock_times'] as const) {
    const answered = answerTimeChange(time, keep, NOW);
    expect(answered && filterChangedTimes([{ time: answered }])).toEqual([]);
  }
});

test('an agreed time on the clock that has passed cannot be kept', () => {
  const agreed = agreedTimeAt(NEW_YORK, NOW - 30 * MINUTE_MS);
  const time = { ...hourAt('2026-12-01T15:00:00Z', { agreed }), start: NOW + 30 * MINUTE_MS };
  expect(answerTimeChange(time, 'clock_times', NOW)).toBeNull();
  expect(answerTimeChange(time, 'moments', NOW)).toMatchObject({ start: time.start });
});

describe('undoing a move', () => {
  const before = hourAt('2026-12-01T15:00:00Z', { expiresAt: NOW + HOUR_MS });
  const after = hourAt('2026-12-01T16:00:00Z', { expiresAt: NOW + 2 * HOUR_MS });
  const past = { ...after, isReserved: false };
  const free = { ...before, isReserved: false };
  const booked = { ...after, expiresAt: null };

  test.each([
    ['an unchanged time gets all back that it had', after, after, 'held', before],
    ['a time that was set since stays', after, hourAt('2026-12-02T15:00:00Z'), 'confirmed', null],
    ['a time that was confirmed since stays', after, booked, 'confirmed', null],
    ['a time that was booked again since stays', past, booked, 'confirmed', null],
    ['the time of an appointment that was cancelled since stays', after, past, 'cancelled', null],
    ['a time that was released since reserves nothing', after, past, 'expired', free],
    ['the time of a closed appointment reserves nothing', booked, booked, 'completed', free],
    ['a time that the move itself released is reserved again', past, past, 'held', before],
  ] as const)('%s', (_, moved, current, status, undone) => {
    expect(undoneTime({ before, after: moved }, current, status)).toEqual(undone);
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
  const compare = (changes: object) => Object.values(compareStudios(studio, changes));
  expect(compare({})).toEqual([false, false]);
  expect(compare({ name: 'Quint', city: 'New York' })).toEqual([false, false]);
  expect(compare({ city: 'Boston' })).toEqual([true, false]);
  expect(compare({ time_zone: CHICAGO })).toEqual([false, true]);
  expect(compare({ time_zone: 'US/Eastern' })).toEqual([false, false]);
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
