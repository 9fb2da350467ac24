import { describe, expect, test } from 'vitest';
import { DEFAULT_SCHEDULE } from '#domain/booking/schedule.ts';
import { computeFreeTimesOn, detectConflicts } from '#domain/booking/time_conflicts.ts';
import { MINUTE_MS } from '#domain/time/time.ts';

const DAY = '2026-12-01';
const NOW = Date.parse('2026-11-21T00:00:00Z');

/** @param text such as `'10:00-11:00'`, on `DAY` in UTC */
function timeRange(text: string) {
  const at = (time: string) => Date.parse(`${DAY}T${time}:00Z`);
  return { start: at(text.slice(0, 5)), end: at(text.slice(6)) };
}

/** @param bookedBuffer the buffer, in minutes, when the busy times were booked */
function createCalendar(
  busyTimes: readonly string[],
  buffer_minutes = 0,
  bookedBuffer = buffer_minutes,
) {
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
    busyTimes: busyTimes.map(timeRange).map(({ start, end }) => ({
      start,
      end,
      blockedUntil: end + bookedBuffer * MINUTE_MS,
    })),
  };
}

describe('the conflicts of a time', () => {
  test.each([
    ['a free time', [], 0, '10:00-11:00', []],
    ['adjoining appointments', ['10:00-11:00', '12:00-13:00'], 0, '11:00-12:00', []],
    ['one common minute', ['10:00-11:01'], 0, '11:00-12:00', ['overlap']],
    ['an appointment around the time', ['10:00-13:00'], 0, '11:00-12:00', ['overlap']],
    ['the buffer of the one before', ['10:00-11:00'], 15, '11:00-12:00', ['buffer']],
    ['its own buffer before the next', ['12:00-13:00'], 15, '11:00-12:00', ['buffer']],
    ['gaps as long as the buffer', ['10:00-10:45', '12:15-13:00'], 15, '11:00-12:00', []],
    ['a start before opening', [], 0, '09:59-10:30', ['hours']],
    ['a break', [], 0, '14:30-16:30', ['hours']],
    ['adjoining windows', [], 0, '12:00-14:00', []],
  ])('of %s', (_name, busyTimes, buffer, wanted, expected) => {
    const found = detectConflicts(createCalendar(busyTimes, buffer), timeRange(wanted));
    expect([
      ...found.overlaps.map(() => 'overlap'),
      ...found.bufferOverlaps.map(() => 'buffer'),
      ...(found.isOutsideHours ? ['hours'] : []),
    ]).toEqual(expected);
  });

  test('an appointment has the buffer that it was booked with, not the current one', () => {
    const longBuffer = createCalendar(['10:00-11:00'], 0, 30);
    expect(detectConflicts(longBuffer, timeRange('11:15-12:00')).bufferOverlaps).toHaveLength(1);
    expect(computeFreeTimesOn(longBuffer, DAY, NOW)[0]).toEqual(timeRange('11:30-15:00'));
    const noBuffer = createCalendar(['10:00-11:00'], 30, 0);
    expect(detectConflicts(noBuffer, timeRange('11:15-12:00')).bufferOverlaps).toEqual([]);
    expect(computeFreeTimesOn(noBuffer, DAY, NOW)[0]).toEqual(timeRange('11:00-15:00'));
  });

  test('a time may continue past midnight into the opening hours of the next day', () => {
    const late = { start: Date.parse(`${DAY}T23:00:00Z`), end: Date.parse('2026-12-02T01:30:00Z') };
    expect(detectConflicts(createCalendar([]), late).isOutsideHours).toBe(false);
    expect(
      detectConflicts(createCalendar([]), { ...late, end: Date.parse('2026-12-02T02:01:00Z') })
        .isOutsideHours,
    ).toBe(true);
  });

  test('free times leave out busy times with their buffers, in any order', () => {
    const calendar = createCalendar(['12:00-12:30', '10:00-11:00'], 15);
    const freeTimes = computeFreeTimesOn(calendar, DAY, NOW);
    expect(freeTimes).toEqual([
      timeRange('11:15-11:45'),
      timeRange('12:45-15:00'),
      { start: Date.parse(`${DAY}T16:00:00Z`), end: Date.parse('2026-12-02T00:00:00Z') },
    ]);
    for (const free of freeTimes)
      expect(detectConflicts(calendar, free)).toMatchObject({ overlaps: [], bufferOverlaps: [] });
  });

  test('free times begin at the current time', () => {
    const noon = Date.parse(`${DAY}T12:00:00Z`);
    expect(computeFreeTimesOn(createCalendar([]), DAY, noon)[0]).toEqual(timeRange('12:00-15:00'));
  });
});
