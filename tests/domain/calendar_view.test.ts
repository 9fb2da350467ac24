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

test('a page further is the next day, week or month', () => {
  expect(addPages('day', '2026-12-31', 1)).toBe('2027-01-01');
  expect(addPages('week', '2026-12-31', -1)).toBe('2026-12-24');
  expect(addPages('list', '2026-12-31', 1)).toBe('2027-01-07');
  expect(addPages('month', '2026-12-31', 2)).toBe('2027-02-01');
});

describe('the hours that are drawn', () => {
  const zone = 'America/New_York';
  const dates = { first: '2026-12-01', last: '2026-12-01' };
  const schedule = {
    weekly: [{ weekday: 2, windows: [{ start: '10:30', end: '18:00' }] }],
    exceptions: [],
  };
  const at = (start: string, end: string) => ({ start: Date.parse(start), end: Date.parse(end) });

  test('an hour to spare on both sides of the open hours', () => {
    expect(visibleHours(schedule, zone, dates, [])).toEqual({ start: 540, end: 1140 });
  });

  test('an appointment outside of them is in sight too', () => {
    const early = at('2026-12-01T11:00:00Z', '2026-12-01T12:00:00Z');
    expect(visibleHours(schedule, zone, dates, [early])).toEqual({ start: 300, end: 1140 });
  });

  test('one over midnight takes the whole day', () => {
    const late = at('2026-12-02T04:00:00Z', '2026-12-02T06:00:00Z');
    expect(visibleHours(schedule, zone, dates, [late])).toEqual({ start: 0, end: 1440 });
  });

  test('a closed day still shows one', () => {
    expect(visibleHours({ weekly: [], exceptions: [] }, zone, dates, [])).toEqual({
      start: 540,
      end: 1080,
    });
  });
});
