import { describe, expect, test } from 'vitest';
import { addPages, visibleDates, visibleHours } from '#domain/calendar_view.ts';

describe('the dates of a view', () => {
  test.each([
    ['day', '2026-12-01', '2026-12-01', '2026-12-01'],
    ['week', '2026-12-01', '2026-11-29', '2026-12-05'],
    ['week', '2026-11-29', '2026-11-29', '2026-12-05'],
    ['list', '2027-01-01', '2026-12-27', '2027-01-02'],
    ['month', '2026-12-15', '2026-11-29', '2027-01-02'],
    ['month', '2026-02-10', '2026-02-01', '2026-02-28'],
  ] as const)('a %s around %s goes from %s to %s', (view, date, first, last) => {
    expect(visibleDates(view, date)).toEqual({ first, last });
  });
});

test('addPages moves by days, weeks or months', () => {
  expect(addPages('day', '2026-12-31', 1)).toBe('2027-01-01');
  expect(addPages('week', '2026-12-31', -1)).toBe('2026-12-24');
  expect(addPages('list', '2026-12-31', 1)).toBe('2027-01-07');
  expect(addPages('month', '2026-12-31', 2)).toBe('2027-02-01');
});

describe('the visible hours', () => {
  const dates = { first: '2026-12-01', last: '2026-12-01' };
  const schedule = {
    weekly: [{ weekday: 2, windows: [{ start: '10:30', end: '18:00' }] }],
    exceptions: [],
  };
  const timeRange = (start: string, end: string) => ({
    start: Date.parse(start),
    end: Date.parse(end),
  });

  test('include an hour before and after the opening hours', () => {
    expect(visibleHours(schedule, dates, [])).toEqual({ start: 540, end: 1140 });
  });

  test('include an appointment outside the opening hours', () => {
    const early = timeRange('2026-12-01T06:00:00Z', '2026-12-01T07:00:00Z');
    expect(visibleHours(schedule, dates, [early])).toEqual({ start: 300, end: 1140 });
  });

  test('cover the whole day when an appointment crosses midnight', () => {
    const late = timeRange('2026-12-01T23:00:00Z', '2026-12-02T01:00:00Z');
    expect(visibleHours(schedule, dates, [late])).toEqual({ start: 0, end: 1440 });
  });

  test('are 9:00 to 18:00 on a closed day', () => {
    expect(visibleHours({ weekly: [], exceptions: [] }, dates, [])).toEqual({
      start: 540,
      end: 1080,
    });
  });
});
