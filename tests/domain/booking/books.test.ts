import { expect, test } from 'vitest';
import { booksAt } from '#domain/booking/books.ts';

const MANAGED = {
  books: null,
  scheduling_type: 'managed',
  booking_range: { kind: 'fixed', start: '2027-01-13', end: '2027-01-20' },
  time_zone: 'Pacific/Auckland',
} as const;
// 13 and 21 January, midnight in Auckland.
const OPENS = Date.parse('2027-01-12T11:00:00Z');
const CLOSES = Date.parse('2027-01-20T11:00:00Z');

test('requests without a time need a fixed booking range that has today in the studio’s zone', () => {
  expect(booksAt(MANAGED, OPENS - 1)).toEqual({ isOpen: false, until: OPENS });
  expect(booksAt(MANAGED, OPENS)).toEqual({ isOpen: true, until: CLOSES });
  expect(booksAt(MANAGED, CLOSES - 1)).toEqual({ isOpen: true, until: CLOSES });
  expect(booksAt(MANAGED, CLOSES)).toEqual({ isOpen: false, until: null });
});

test('a set state counts more than the dates; other ranges, and free times to choose, leave the books open', () => {
  const open = { isOpen: true, until: null };
  expect(booksAt({ ...MANAGED, books: { state: 'open' } }, CLOSES)).toEqual(open);
  for (const scheduling_type of ['service', 'managed', null] as const) {
    const closed = booksAt({ ...MANAGED, scheduling_type, books: { state: 'closed' } }, OPENS);
    expect(closed).toEqual({ isOpen: false, until: null });
    const booking_range = { kind: 'rolling', days: 0 } as const;
    expect(booksAt({ ...MANAGED, scheduling_type, booking_range }, CLOSES)).toEqual(open);
  }
  expect(booksAt({ ...MANAGED, scheduling_type: 'service' }, CLOSES)).toEqual(open);
});
