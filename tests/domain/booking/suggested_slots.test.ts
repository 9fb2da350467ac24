import { expect, test } from 'vitest';
import { groupByPartOfDay, suggestSlots } from '#domain/booking/suggested_slots.ts';

const ZONE = 'America/New_York';
const day = (...starts: string[]) => ({ windows: starts.map((start) => ({ start })) });
const starts = (slots: readonly { start: string }[]) => slots.map(({ start }) => start);

test('the first times of the next three days are suggested', () => {
  const days = [
    day('2026-12-01T15:00:00Z', '2026-12-01T16:00:00Z'),
    day('2026-12-02T15:00:00Z'),
    day('2026-12-03T18:00:00Z'),
    day('2026-12-04T15:00:00Z'),
  ];
  expect(starts(suggestSlots(days))).toEqual([
    '2026-12-01T15:00:00Z',
    '2026-12-02T15:00:00Z',
    '2026-12-03T18:00:00Z',
  ]);
});

test('with fewer days, later times of them are suggested, the soonest first', () => {
  const days = [
    day('2026-12-01T15:00:00Z', '2026-12-01T16:00:00Z', '2026-12-01T17:00:00Z'),
    day('2026-12-02T15:00:00Z'),
  ];
  expect(starts(suggestSlots(days))).toEqual([
    '2026-12-01T15:00:00Z',
    '2026-12-01T16:00:00Z',
    '2026-12-02T15:00:00Z',
  ]);
  expect(suggestSlots([])).toEqual([]);
});

test('times are grouped by the hour of the studio’s clock; empty groups are left out', () => {
  const night = day('2026-12-01T05:00:00Z', '2026-12-01T09:59:00Z').windows;
  const slots = day('2026-12-01T16:59:00Z', '2026-12-01T17:00:00Z', '2026-12-01T22:00:00Z').windows;
  const groups = groupByPartOfDay([...night, ...slots], ZONE);
  expect(groups.map(({ part, slots }) => [part, ...starts(slots)])).toEqual([
    ['After midnight', ...starts(night)],
    ['Morning', '2026-12-01T16:59:00Z'],
    ['Afternoon', '2026-12-01T17:00:00Z'],
    ['Evening', '2026-12-01T22:00:00Z'],
  ]);
  expect(groupByPartOfDay(slots.slice(0, 1), ZONE).map(({ part }) => part)).toEqual(['Morning']);
});
