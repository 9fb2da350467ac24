import { expect, test } from 'vitest';
import {
  formatDesignSize,
  isBookable,
  listAlike,
  matchesFilter,
  sizeOfDesign,
} from '#domain/studio/design.ts';

const PLAIN = {
  id: 'plain',
  status: 'available',
  left: null,
  width_mm: null,
  height_mm: null,
  placements: [],
};

test.each([
  [60, 80, 'de-DE', '6 × 8 cm'],
  [65, 80, 'de-DE', '6,5 × 8 cm'],
  [60, 80, 'en-US', '2.4 × 3.1 in'],
  [60, 80, 'en', '2.4 × 3.1 in'],
  [60, 80, 'en-GB', '6 × 8 cm'],
  [null, 80, 'en-GB', '8 cm'],
  [60, null, 'en-GB', '6 cm'],
  [null, null, 'en-GB', null],
])('%s by %s mm reads in %s: %s', (width_mm, height_mm, locale, text) => {
  expect(formatDesignSize({ width_mm, height_mm }, locale)).toBe(text);
});

test('the longer side decides the size of the booking form', () => {
  const sizeOf = (width_mm: number | null, height_mm: number | null) =>
    sizeOfDesign({ width_mm, height_mm });
  expect([sizeOf(50, 70), sizeOf(150, 20), sizeOf(null, 250), sizeOf(300, null)]).toEqual([
    ...['small', 'medium', 'large', 'extra-large'],
  ]);
  expect(sizeOf(null, null)).toBeNull();
});

test('clients can book what is available and not used up', () => {
  expect(isBookable(PLAIN)).toBe(true);
  expect(isBookable({ ...PLAIN, left: 1 })).toBe(true);
  expect(isBookable({ ...PLAIN, left: 0 })).toBe(false);
  for (const status of ['claimed', 'hidden', 'draft'])
    expect([status, isBookable({ ...PLAIN, status })]).toEqual([status, false]);
});

test('a filter demands each of its conditions', () => {
  const small = { ...PLAIN, width_mm: 60, placements: ['arms' as const] };
  expect(matchesFilter(PLAIN, {})).toBe(true);
  expect(matchesFilter(small, { placement: 'arms', size: 'small', free: true })).toBe(true);
  expect(matchesFilter(small, { placement: 'legs', size: 'small' })).toBe(false);
  expect(matchesFilter(small, { placement: 'arms', size: 'large' })).toBe(false);
  expect(matchesFilter(PLAIN, { size: 'small' })).toBe(false);
  expect(matchesFilter({ ...small, left: 0 }, { free: true })).toBe(false);
});

test('the designs that are offered in place of another are bookable and most like it, at most three', () => {
  const wanted = { ...PLAIN, id: 'wanted', placements: ['arms' as const, 'legs' as const] };
  const designs = [
    wanted,
    { ...PLAIN, id: 'taken', placements: ['arms' as const], left: 0 },
    PLAIN,
    { ...PLAIN, id: 'near', placements: ['legs' as const] },
    { ...PLAIN, id: 'nearest', placements: ['legs' as const, 'arms' as const] },
    { ...PLAIN, id: 'last' },
  ];
  expect(listAlike(wanted, designs).map(({ id }) => id)).toEqual(['nearest', 'near']);
  const sized = { ...wanted, placements: [], width_mm: 60 };
  const ofSize = { ...PLAIN, id: 'of the size', height_mm: 70 };
  expect(listAlike(sized, [...designs, ofSize])).toEqual([ofSize]);
  const plain = { ...wanted, placements: [] };
  expect(listAlike(plain, designs).map(({ id }) => id)).toEqual(['plain', 'near', 'nearest']);
});
