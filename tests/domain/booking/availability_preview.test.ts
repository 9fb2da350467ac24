import { describe, expect, test } from 'vitest';
import {
  closedTimeRanges,
  computePreviewDays,
  dayKindOn,
  filterOutsideHours,
  openTimeRanges,
} from '#domain/booking/availability_preview.ts';
import { DEFAULT_SCHEDULE } from '#domain/booking/schedule.ts';

const NEW_YORK = 'America/New_York';
const HOUR = 60 * 60_000;
/** A Tuesday, 7:00 AM in New York. */
const NOW = Date.parse('2026-12-01T12:00:00Z');

const schedule = {
  ...DEFAULT_SCHEDULE,
  weekly: [
    { weekday: 2, windows: [{ start: '10:00', end: '12:00' }] },
    { weekday: 3, windows: [{ start: '20:00', end: '24:00' }] },
    { weekday: 4, windows: [{ start: '00:00', end: '02:00' }] },
    { weekday: 5, windows: [{ start: '10:00', end: '11:00' }] },
  ],
  exceptions: [
    { date: '2026-12-04', windows: [] },
    { date: '2026-12-06', windows: [{ start: '10:00', end: '11:00' }] },
  ],
  slot_interval_minutes: 60,
};

describe('the preview of the next days', () => {
  const calendar = {
    zone: NEW_YORK,
    schedule,
    bookingRange: { kind: 'rolling', days: 6 },
    blocked: [],
  } as const;

  test('each day has its free times, or the reason why there are none', () => {
    const days = computePreviewDays(calendar, 60, 9, NOW);
    expect(days.map(({ date, state, times }) => [date, state, times.length])).toEqual([
      ['2026-12-01', 'open', 2],
      ['2026-12-02', 'open', 4],
      ['2026-12-03', 'open', 2],
      ['2026-12-04', 'off', 0],
      ['2026-12-05', 'closed', 0],
      ['2026-12-06', 'open', 1],
      ['2026-12-07', 'closed', 0],
      ['2026-12-08', 'beyond', 0],
      ['2026-12-09', 'beyond', 0],
    ]);
  });

  test('a fully booked day is full, not closed', () => {
    const start = Date.parse('2026-12-01T15:00:00Z');
    const night = Date.parse('2026-12-03T05:00:00Z');
    const blocked = [start, night].map((from) => ({ start: from, end: from + 2 * HOUR }));
    const days = computePreviewDays({ ...calendar, blocked }, 60, 3, NOW);
    // Thursday has only the end of Wednesday's night.
    expect(days.map(({ state }) => state)).toEqual(['full', 'open', 'closed']);
  });

  test('without a service it shows the free time ranges', () => {
    expect(computePreviewDays(calendar, null, 1, NOW)[0]?.times).toEqual([
      { start: Date.parse('2026-12-01T15:00:00Z'), end: Date.parse('2026-12-01T17:00:00Z') },
    ]);
  });
});

test.each([
  ['2026-12-01', 'open'],
  ['2026-12-04', 'off'],
  ['2026-12-05', 'closed'],
  ['2026-12-06', 'own'],
])('%s is %s', (date, kind) => {
  expect(dayKindOn(schedule, date)).toBe(kind);
});

test('opening hours on both sides of midnight are one time range', () => {
  expect(openTimeRanges(schedule, NEW_YORK, '2026-12-02', '2026-12-03')).toEqual([
    { start: Date.parse('2026-12-03T01:00:00Z'), end: Date.parse('2026-12-03T07:00:00Z') },
  ]);
});

test('open and closed time add up to the whole day, also when clocks go back', () => {
  const first = '2026-11-01';
  const sundayHours = {
    ...schedule,
    weekly: [{ weekday: 7, windows: [{ start: '01:30', end: '03:00' }] }],
  };
  const open = openTimeRanges(sundayHours, NEW_YORK, first, first);
  const closed = closedTimeRanges(sundayHours, NEW_YORK, first, first);
  const all = [...open, ...closed].toSorted((a, b) => a.start - b.start);
  expect(
    all.map(({ start, end }) => [new Date(start).toISOString(), (end - start) / HOUR]),
  ).toEqual([
    ['2026-11-01T04:00:00.000Z', 1.5],
    ['2026-11-01T05:30:00.000Z', 2.5],
    ['2026-11-01T08:00:00.000Z', 21],
  ]);
});

test('appointments are outside opening hours if any minute of them is', () => {
  const timeRange = (startText: string, minutes: number) => {
    const start = Date.parse(startText);
    return { start, end: start + minutes * 60_000 };
  };
  const inside = [timeRange('2026-12-01T15:00:00Z', 120), timeRange('2026-12-03T03:00:00Z', 180)];
  const outside = [
    timeRange('2026-12-01T15:00:00Z', 121),
    timeRange('2026-12-01T14:59:00Z', 60),
    timeRange('2026-12-04T15:00:00Z', 60),
  ];
  expect(filterOutsideHours(schedule, NEW_YORK, [...inside, ...outside])).toEqual(outside);
});
