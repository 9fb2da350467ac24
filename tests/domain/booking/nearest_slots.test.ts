import { expect, test } from 'vitest';
import { nearestSlots } from '#domain/booking/nearest_slots.ts';

const starts = (...slots: number[]) => slots.map((start) => ({ start }));
const nearest = (slots: readonly { start: number }[], start: number) =>
  nearestSlots(slots, start).map((slot) => slot.start);

test('the three slots that start nearest are returned in the order of their starts', () => {
  expect(nearest(starts(10, 20, 30, 40, 50, 60), 41)).toEqual([30, 40, 50]);
  expect(nearest(starts(60, 10, 50, 20), 0)).toEqual([10, 20, 50]);
  expect(nearest(starts(70, 80), 10)).toEqual([70, 80]);
  expect(nearest([], 10)).toEqual([]);
});

test('starts can be RFC 3339', () => {
  const at = (hour: number) => ({ start: `2026-12-03T${hour}:00:00Z` });
  expect(nearestSlots([at(15), at(11), at(13), at(12)], at(12).start)).toEqual([
    at(11),
    at(12),
    at(13),
  ]);
});

test('the given list of slots stays as it is', () => {
  const slots = starts(60, 10, 50, 20);
  nearest(slots, 0);
  expect(slots).toEqual(starts(60, 10, 50, 20));
});
