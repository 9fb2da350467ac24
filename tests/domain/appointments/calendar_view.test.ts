import { describe, expect, test } from 'vitest';
import {
  addPages,
  columnDate,
  visibleDates,
  visibleHours,
} from '#domain/appointments/calendar_view.ts';

test.each([
  ['day', '2026-12-01', '2026-12-01', '2026-12-01'],
  ['week', '2026-12-01', '2026-11-29', '2026-12-05'],
  ['week', '2026-11-29', '2026-11-29', '2026-12-05'],
  ['list', '2027-01-01', '2026-12-27', '2027-01-02'],
  ['month', '2026-12-15', '2026-11-29', '2027-01-02'],
  ['month', '2026-02-10', '2026-02-01', '2026-02-28'],
] as const)('the dates of a %s around %s are %s to %s', (view, date, first, last) => {
  expect(visibleDates(view, date)).toEqual({ first, last });
});

test('addPages moves by days, weeks or months', () => {
  expect(addPages('day', '2026-12-31', 1)).toBe('2027-01-01');
  expect(addPages('week', '2026-12-31', -1)).toBe('2026-12-24');
  expect(addPages('list', '2026-12-31', 1)).toBe('2027-01-07');
  expect(addPages('month', '2026-12-31', 2)).toBe('2027-02-01');
});

describe('the visible hours of a Tuesday, after a Monday that is open from 20:00 to 2:00,', () => {
  const dates = { first: '2026-12-01', last: '2026-12-01' };
  const monday = { weekday: 1, windows: [{ start: '20:00', end: '02:00' }] };
  const range = (text: string) => ({
    start: text.replace(/-.*/, ''),
    end: text.replace(/.*-/, ''),
  });
  test.each([
    ['include an hour before and after the opening hours', '10:30-18:00', '', 9, 19],
    ['are 9:00 to 18:00 on a closed day', '', '', 9, 18],
    ['include an appointment before the hours', '10:30-18:00', '01T03:00-01T04:00', 2, 19],
    ['end at midnight', '10:30-24:00', '', 9, 24],
    ['begin in the evening when only nights are open', '22:00-04:00', '', 21, 29],
    ['go on past midnight for an appointment', '10:30-18:00', '01T23:00-02T01:00', 9, 26],
    ['include one that ends after the night', '20:00-02:00', '02T01:30-02T03:30', 19, 29],
    ['leave the night before to its own day', '10:30-18:00', '01T00:30-01T01:30', 9, 19],
    ['leave the next day’s times to it', '10:30-18:00', '02T06:00-02T07:00', 9, 19],
    ['are 24 at most', '08:00-07:30', '', 7, 31],
  ])('%s', (_name, hours, appointment, start, end) => {
    const tuesday = { weekday: 2, windows: hours === '' ? [] : [range(hours)] };
    const time = range(appointment);
    const at = (text: string) => Date.parse(`2026-12-${text}Z`);
    const booked = appointment === '' ? [] : [{ start: at(time.start), end: at(time.end) }];
    const shown = visibleHours({ weekly: [monday, tuesday], exceptions: [] }, dates, booked);
    expect(shown).toEqual({ start: start * 60, end: end * 60, hasNightBefore: true });
    const drawn = ['01:59', '21:00'].map((clock) => columnDate(shown, '2026-12-02', clock));
    expect(drawn).toEqual(['2026-12-01', '2026-12-02']);
  });
});
