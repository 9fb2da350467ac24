import { expect, it } from 'vitest';
import {
  clocksAgree,
  dateIn,
  dayAndYear,
  dayHeading,
  monthAfter,
  monthLabel,
  monthOf,
  monthParts,
  rangeAndZone,
  shortDay,
  shownEnd,
  timeAndZone,
  timeOf,
  timeRange,
} from '#domain/show_time.ts';

const NEW_YORK = 'America/New_York';
const LOS_ANGELES = 'America/Los_Angeles';

it('the end shown is one minute after the last minute inside', () => {
  expect(shownEnd('2026-12-01T16:59:00Z')).toBe(Date.parse('2026-12-01T17:00:00Z'));
  expect(timeRange('2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z', NEW_YORK)).toBe(
    '10:00 AM - 12:00 PM',
  );
});

it('a range over a change of clocks names the clocks', () => {
  expect(timeRange('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST',
  );
});

it('readers in any zone are told whose clock it is', () => {
  const [start, end] = ['2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z'];
  expect(rangeAndZone(start, end, NEW_YORK)).toBe('10:00 AM - 12:00 PM (America/New_York, EST)');
  expect(timeAndZone(start, NEW_YORK)).toBe(
    'Tuesday, December 1, 2026 at 10:00 AM (America/New_York, EST)',
  );
  expect(timeAndZone(start, 'UTC')).toBe('Tuesday, December 1, 2026 at 3:00 PM (UTC)');
  expect(timeAndZone('2026-07-01T15:00:00Z', NEW_YORK)).toContain('(America/New_York, EDT)');
  expect(rangeAndZone('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST (America/New_York)',
  );
});

it('a date is the one of the zone’s own calendar', () => {
  const lateEvening = '2026-12-02T04:30:00Z';
  expect(dateIn(NEW_YORK, lateEvening)).toBe('2026-12-01');
  expect(dateIn('UTC', lateEvening)).toBe('2026-12-02');
  expect(dateIn('Pacific/Kiritimati', Date.parse(lateEvening))).toBe('2026-12-02');
  expect(dayAndYear(lateEvening, NEW_YORK)).toBe('Tuesday, December 1, 2026');
  expect(shortDay(lateEvening, NEW_YORK)).toBe('Tue, Dec 1, 2026');
});

it('midnight and noon are written as people write them', () => {
  expect(timeOf('2026-12-01T05:00:00Z', NEW_YORK)).toBe('12:00 AM');
  expect(timeOf('2026-12-01T17:00:00Z', NEW_YORK)).toBe('12:00 PM');
});

it('a locale decides the words', () => {
  expect(timeOf('2026-12-01T17:00:00Z', NEW_YORK, 'de')).toBe('12:00');
  expect(monthLabel('2026-12', 'de')).toBe('Dezember 2026');
});

it('headings have weekday, month and day; months have their year', () => {
  expect(dayHeading('2026-12-01')).toBe('Tuesday, December 1');
  expect(monthLabel('2026-12')).toBe('December 2026');
});

it('clocks agree by what they show, not by their names', () => {
  expect(clocksAgree(NEW_YORK, 'America/Toronto', '2026-12-01T15:00:00Z')).toBe(true);
  expect(clocksAgree(NEW_YORK, LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
  expect(clocksAgree('America/Phoenix', LOS_ANGELES, '2026-07-01T15:00:00Z')).toBe(true);
  expect(clocksAgree('America/Phoenix', LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
});

it('months are counted over the year’s end', () => {
  expect(monthOf('2026-12-31')).toBe('2026-12');
  expect(monthAfter('2026-12', 2)).toBe('2027-02');
  expect(monthAfter('2027-01', -1)).toBe('2026-12');
  expect(monthParts('2027-02')).toEqual({ year: 2027, number: 2 });
});
