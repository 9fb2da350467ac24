import { expect, test } from 'vitest';
import {
  type Bookable,
  checkService,
  checkTime,
  judgeBooking,
  judgeBookingEarly,
  judgeRebooking,
  type Rebooking,
  type WantedBooking,
} from '#domain/booking/booking_checks.ts';
import { InvalidInput, refusalReasonOf } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';

const NOON = Date.parse('2030-06-03T12:00:00Z');
const TIME = { start: NOON, end: NOON + HOUR_MS };
const WINDOWS = [{ start: '00:00', end: '24:00' }];
const OPEN = { kind: 'open' } as const;

const BOOKABLE: Bookable = {
  zone: 'UTC',
  schedule: {
    weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows: WINDOWS })),
    exceptions: [],
    slot_interval_minutes: 60,
    buffer_minutes: 15,
    minimum_notice_minutes: 120,
  },
  bookingRange: OPEN,
  blocked: [],
  studioId: 'studio',
  books: { books: null, scheduling_type: 'service', booking_range: OPEN, time_zone: 'UTC' },
  isSenderBlocked: false,
  hasExpiredTimes: false,
  service: { isAvailable: true, duration_minutes: 60, price: null },
  design: {
    isAvailable: true,
    duration_minutes: null,
    price: null,
    editions: 2,
    used: 1,
    service_id: null,
    isServiceAvailable: false,
  },
};
const { service: SERVICE, design: DESIGN } = BOOKABLE;
const WANTED: WantedBooking = {
  artistId: 'artist',
  zone: 'UTC',
  serviceId: 'service',
  designId: 'design',
  time: TIME,
  own: null,
};

test('a service is refused as unknown or as not available, and none is needed', () => {
  checkService(BOOKABLE, WANTED);
  checkService({ ...BOOKABLE, service: null }, { ...WANTED, serviceId: null });
  expect(() => checkService({ ...BOOKABLE, service: null }, WANTED)).toThrow('not_found');
  const hidden = SERVICE && { ...SERVICE, isAvailable: false };
  expect(() => checkService({ ...BOOKABLE, service: hidden }, WANTED)).toThrow(
    'service_not_available',
  );
});

/** Why something is refused: the field of invalid input, or the reason of a refusal; null when it is not. */
function refusalOf(judge: () => unknown) {
  try {
    judge();
    return null;
  } catch (error) {
    return error instanceof InvalidInput ? error.loc.join(' ') : refusalReasonOf(error);
  }
}

/** Judges a booking a day before its time. */
function refusalOfBooking(
  bookable: Partial<Bookable>,
  wanted: Partial<WantedBooking> = {},
  isTakingBookings = true,
) {
  const all = { ...BOOKABLE, ...bookable };
  return refusalOf(() =>
    judgeBookingEarly(all, { ...WANTED, ...wanted }, isTakingBookings, NOON - DAY_MS),
  );
}

test('a design is refused as unknown, as not available, or once its editions are used up', () => {
  const of = (changes: object | null) =>
    refusalOfBooking({ design: changes && DESIGN && { ...DESIGN, ...changes } });
  expect(refusalOfBooking({ design: null }, { designId: null })).toBeNull();
  expect(of(null)).toBe('not_found');
  expect(of({ isAvailable: false })).toBe('design_not_available');
  expect(of({ used: 2 })).toBe('design_not_available');
  expect(of({ used: 2, editions: null })).toBeNull();
});

const CLOSED = { ...BOOKABLE.books, books: { state: 'closed' } as const };

test('a time that a client picks is refused in this order', () => {
  const service = SERVICE && { ...SERVICE, isAvailable: false };
  const design = DESIGN && { ...DESIGN, isAvailable: false, duration_minutes: 30 };
  const books = { ...CLOSED, scheduling_type: 'managed' } as const;
  const mends: [string | null, Partial<Bookable>, Partial<WantedBooking>, boolean?][] = [
    ['service_not_available', {}, { time: { ...TIME, end: TIME.end + 1 } }],
    ['body end', { service: SERVICE }, {}],
    ['design_not_available', {}, { time: TIME }],
    ['wrong_scheduling_type', { design: design && { ...design, isAvailable: true } }, {}],
    ['body service_id', { books: CLOSED }, {}],
    ['not_taking_bookings', { design: DESIGN }, {}],
    ['books_closed', {}, {}, true],
    ['time_taken', { books: BOOKABLE.books }, {}, true],
    ['sender_blocked', { blocked: [] }, {}, true],
    [null, { isSenderBlocked: false }, {}, true],
  ];
  let bookable: Partial<Bookable> = { service, design, books, blocked: [TIME] };
  bookable = { ...bookable, isSenderBlocked: true };
  let wanted: Partial<WantedBooking> = {};
  for (const [refusal, mendedBookable, mendedWanted, isTakingBookings = false] of mends) {
    bookable = { ...bookable, ...mendedBookable };
    wanted = { ...wanted, ...mendedWanted };
    expect(refusalOfBooking(bookable, wanted, isTakingBookings)).toBe(refusal);
  }
});

test('a request without a time is refused in this order', () => {
  const managed = { ...BOOKABLE.books, scheduling_type: 'managed' } as const;
  const broken = {
    design: DESIGN && { ...DESIGN, isAvailable: false },
    books: CLOSED,
    service: SERVICE && { ...SERVICE, isAvailable: false },
    isSenderBlocked: true,
  };
  const withDesign = { ...broken, design: DESIGN };
  const ofKind = { ...withDesign, books: { ...CLOSED, scheduling_type: 'managed' } as const };
  const withService = { ...ofKind, service: SERVICE };
  const open = { ...withService, books: managed };
  const refusals = [broken, withDesign, ofKind, withService].map((bookable) =>
    refusalOfBooking(bookable, { time: null }, false),
  );
  refusals.push(
    ...[withService, open, { ...open, isSenderBlocked: false }].map((bookable) =>
      refusalOfBooking(bookable, { time: null }),
    ),
  );
  expect(refusals).toEqual([
    'design_not_available',
    'wrong_scheduling_type',
    'service_not_available',
    'not_taking_bookings',
    'books_closed',
    'sender_blocked',
    null,
  ]);
});

test('under the lock, it does not matter whether the books have been closed meanwhile', () => {
  expect(refusalOfBooking({ books: CLOSED })).toBe('books_closed');
  const time = judgeBooking({ ...BOOKABLE, books: CLOSED }, WANTED, NOON - DAY_MS);
  expect(time).toMatchObject(TIME);
});

test('a time without a service needs a design with a length of its own', () => {
  const of = (minutes: number | null) =>
    refusalOfBooking(
      { service: null, design: DESIGN && { ...DESIGN, duration_minutes: minutes } },
      { serviceId: null },
    );
  expect([of(null), of(30), of(60)]).toEqual(['body service_id', 'body end', null]);
});

test('a late confirmation is judged as a new booking, in the order of the refusals', () => {
  const closed = { ...BOOKABLE, books: CLOSED };
  const hidden = { ...BOOKABLE, service: SERVICE && { ...SERVICE, isAvailable: false } };
  const usedUp = { ...BOOKABLE, design: DESIGN && { ...DESIGN, used: 2 } };
  const managed = { ...BOOKABLE, books: { ...BOOKABLE.books, scheduling_type: null } };
  const longer = { ...WANTED, time: { ...TIME, end: TIME.end + HOUR_MS } };
  const withoutService = {
    bookable: { ...managed, service: null },
    wanted: { ...longer, serviceId: null },
  };
  const cases: [string | null, Partial<Rebooking>][] = [
    [null, {}],
    ['books_closed', { bookable: closed }],
    [null, { bookable: closed, isExpired: false }],
    ['service_not_available', { bookable: { ...hidden, design: usedUp.design } }],
    ['design_not_available', { bookable: usedUp, wanted: longer }],
    ['service_changed', { bookable: managed, wanted: longer }],
    ['wrong_scheduling_type', { bookable: managed, isTakingBookings: false }],
    ['not_taking_bookings', { isTakingBookings: false, isTooOld: true }],
    ['time_taken', { isTooOld: true }],
    // A time that the artist has set.
    [null, { ...withoutService, isSetByArtist: true }],
    ['wrong_scheduling_type', { bookable: managed, isSetByArtist: true }],
  ];
  const rebooking = { bookable: BOOKABLE, wanted: { ...WANTED, time: TIME }, isExpired: true };
  const facts = { isSetByArtist: false, isTakingBookings: true, isTooOld: false };
  const refusals = cases.map(([, changes]) =>
    refusalOf(() => judgeRebooking({ ...rebooking, ...facts, ...changes }, NOON)),
  );
  expect(refusals).toEqual(cases.map(([reason]) => reason));
});

test('a free time is accepted with the buffer after it, a blocked one is refused', () => {
  const blockedUntil = TIME.end + 15 * MINUTE_MS;
  const now = NOON - DAY_MS;
  expect(checkTime(BOOKABLE, TIME, now)).toEqual({ ...TIME, blockedUntil });
  expect(() => checkTime({ ...BOOKABLE, blocked: [TIME] }, TIME, now)).toThrow('time_taken');
});

test('a time whose notice has passed is accepted if it was listed when the client picked it', () => {
  const now = NOON - HOUR_MS;
  expect(() => checkTime(BOOKABLE, TIME, now)).toThrow('time_taken');
  expect(() => checkTime(BOOKABLE, TIME, now, NOON - DAY_MS)).not.toThrow();
});
