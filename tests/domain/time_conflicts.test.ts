import { describe, expect, test } from 'vitest';
import { DEFAULT_SCHEDULE } from '#domain/schedule.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { computeFreeTimesOn, detectConflicts } from '#domain/time_conflicts.ts';

const DAY = '2026-12-01';
const NOW = Date.parse('2026-11-21T00:00:00Z');

/** `'10:00-11:00'` of the day, in UTC. */
function stretch(text: string) {
  const at = (time: string) => Date.parse(`${DAY}T${time}:00Z`);
  return { start: at(text.slice(0, 5)), end: at(text.slice(6)) };
}

/** @param bookedWith the buffer that what is busyTimes was booked with */
function plan(busyTimes: readonly string[], buffer_minutes = 0, bookedWith = buffer_minutes) {
  const windows = [
    { start: '10:00', end: '13:00' },
    { start: '13:00', end: '15:00' },
    { start: '16:00', end: '24:00' },
  ];
  return {
    zone: 'UTC',
    schedule: {
      ...DEFAULT_SCHEDULE,
      buffer_minutes,
      weekly: [
        { weekday: 2, windows },
        { weekday: 3, windows: [{ start: '00:00', end: '02:00' }] },
      ],
    },
    busyTimes: busyTimes.map(stretch).map(({ start, end }) => ({
      start,
      end,
      blockedUntil: end + bookedWith * MINUTE_MS,
    })),
  };
}

describe('what speaks against a time', () => {
  test.each([
    ['nothing on a free stretch', [], 0, '10:00-11:00', 0, 0, false],
    [
      'neighbours that only touch are no overlap',
      ['10:00-11:00', '12:00-13:00'],
      0,
      '11:00-12:00',
      0,
      0,
      false,
    ],
    ['a shared minute is an overlap', ['10:00-11:01'], 0, '11:00-12:00', 1, 0, false],
    ['one that lies all around it', ['10:00-13:00'], 0, '11:00-12:00', 1, 0, false],
    ['the buffer after the one before', ['10:00-11:00'], 15, '11:00-12:00', 0, 1, false],
    ['its own buffer before the next', ['12:00-13:00'], 15, '11:00-12:00', 0, 1, false],
    [
      'no more than the buffer is no conflict',
      ['10:00-10:45', '12:15-13:00'],
      15,
      '11:00-12:00',
      0,
      0,
      false,
    ],
    ['before opening', [], 0, '09:59-10:30', 0, 0, true],
    ['through a pause', [], 0, '14:30-16:30', 0, 0, true],
    ['windows that touch are open throughout', [], 0, '12:00-14:00', 0, 0, false],
  ])('%s', (_name, busyTimes, buffer, wanted, overlaps, tooClose, isOutsideHours) => {
    const found = detectConflicts(plan(busyTimes, buffer), DAY, stretch(wanted));
    expect([found.overlaps.length, found.bufferOverlaps.length, found.isOutsideHours]).toEqual([
      overlaps,
      tooClose,
      isOutsideHours,
    ]);
  });

  test('an appointment keeps the buffer that it was booked with, whatever it is by now', () => {
    const longAgo = plan(['10:00-11:00'], 0, 30);
    expect(detectConflicts(longAgo, DAY, stretch('11:15-12:00')).bufferOverlaps).toHaveLength(1);
    expect(computeFreeTimesOn(longAgo, DAY, NOW)[0]).toEqual(stretch('11:30-13:00'));
    const since = plan(['10:00-11:00'], 30, 0);
    expect(detectConflicts(since, DAY, stretch('11:15-12:00')).bufferOverlaps).toEqual([]);
    expect(computeFreeTimesOn(since, DAY, NOW)[0]).toEqual(stretch('11:00-13:00'));
  });

  test('work may run past midnight into the next day’s hours', () => {
    const late = { start: Date.parse(`${DAY}T23:00:00Z`), end: Date.parse('2026-12-02T01:30:00Z') };
    expect(detectConflicts(plan([]), DAY, late).isOutsideHours).toBe(false);
    expect(
      detectConflicts(plan([]), DAY, { ...late, end: Date.parse('2026-12-02T02:01:00Z') })
        .isOutsideHours,
    ).toBe(true);
  });

  test('what is free is told around what is taken and its buffer, whatever order it comes in', () => {
    expect(computeFreeTimesOn(plan(['12:00-12:30', '10:00-11:00'], 15), DAY, NOW)).toEqual([
      stretch('11:15-12:00'),
      stretch('12:45-13:00'),
      stretch('13:00-15:00'),
      { start: Date.parse(`${DAY}T16:00:00Z`), end: Date.parse('2026-12-02T00:00:00Z') },
    ]);
  });

  test('what has passed is not free', () => {
    const noon = Date.parse(`${DAY}T12:00:00Z`);
    expect(computeFreeTimesOn(plan([]), DAY, noon)[0]).toEqual(stretch('12:00-13:00'));
  });
});
