import { expect, test } from 'vitest';
import {
  type Bookable,
  checkDesign,
  checkRebooking,
  checkSchedulingType,
  checkSender,
  checkService,
  checkTime,
  type Rebooking,
  type WantedBooking,
} from '#domain/booking_checks.ts';
import { refusalReasonOf } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

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
  hasLapsedTimes: false,
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
  sender: { email: null, networks: [] },
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

test('a design is refused as unknown, as not available, or once its editions are used up', () => {
  checkDesign(BOOKABLE, WANTED);
  checkDesign({ ...BOOKABLE, design: null }, { ...WANTED, designId: null });
  const check = (changes: object | null) => () =>
    checkDesign({ ...BOOKABLE, design: changes && DESIGN && { ...DESIGN, ...changes } }, WANTED);
  expect(check(null)).toThrow('not_found');
  expect(check({ isAvailable: false })).toThrow('design_not_available');
  expect(check({ used: 2 })).toThrow('design_not_available');
  expect(check({ used: 2, editions: null })).not.toThrow();
});

test('a late confirmation is judged as a new booking, in the order of the refusals', () => {
  const closed = { ...BOOKABLE, books: { ...BOOKABLE.books, books: { state: 'closed' } as const } };
  const hidden = { ...BOOKABLE, service: SERVICE && { ...SERVICE, isAvailable: false } };
  const usedUp = { ...BOOKABLE, design: DESIGN && { ...DESIGN, used: 2 } };
  const managed = { ...BOOKABLE, books: { ...BOOKABLE.books, scheduling_type: null } };
  const longer = { ...WANTED, time: { ...TIME, end: TIME.end + HOUR_MS } };
  const withoutService = {
    bookable: { ...managed, service: null },
    wanted: { ...longer, serviceId: null },
    isTooOld: true,
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
    [null, { bookable: { ...managed, service: null }, isSetByArtist: true, isExpired: false }],
    ['design_not_available', { bookable: usedUp, isSetByArtist: true, isExpired: false }],
  ];
  const rebooking = { bookable: BOOKABLE, wanted: { ...WANTED, time: TIME }, isExpired: true };
  const facts = { isSetByArtist: false, isTakingBookings: true, isTooOld: false };
  const reasonOf = (changes: Partial<Rebooking>) => {
    try {
      checkRebooking({ ...rebooking, ...facts, ...changes }, NOON);
      return null;
    } catch (error) {
      return refusalReasonOf(error);
    }
  };
  expect(cases.map(([, changes]) => reasonOf(changes))).toEqual(cases.map(([reason]) => reason));
});

test('a blocked sender, and another kind of booking, are refused', () => {
  checkSender(BOOKABLE);
  expect(() => checkSender({ ...BOOKABLE, isSenderBlocked: true })).toThrow('sender_blocked');
  checkSchedulingType(BOOKABLE, 'service');
  expect(() => checkSchedulingType(BOOKABLE, 'managed')).toThrow('wrong_scheduling_type');
});

test('a free time is accepted with the buffer after it, a blocked one is refused', () => {
  const blocked = { start: NOON, end: TIME.end + 15 * MINUTE_MS };
  const now = NOON - DAY_MS;
  expect(checkTime(BOOKABLE, TIME, now)).toEqual({ ...TIME, blocked });
  expect(() => checkTime({ ...BOOKABLE, blocked: [TIME] }, TIME, now)).toThrow('time_taken');
});

test('a time whose notice has passed is accepted if it was listed when the client picked it', () => {
  const now = NOON - HOUR_MS;
  expect(() => checkTime(BOOKABLE, TIME, now)).toThrow('time_taken');
  expect(() => checkTime(BOOKABLE, TIME, now, NOON - DAY_MS)).not.toThrow();
});
