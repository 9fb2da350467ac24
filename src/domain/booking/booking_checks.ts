/**
 * The checks of a booking: each decides about what was loaded before. Requests, moves and late confirmations name
 * those that bind them. An artist who sets a time is bound by the editions of a design, not by hours or notice.
 */

import type { Price } from '../money/price.ts';
import { InvalidInput, refuse, SERVICE_CHANGED_TEXT } from '../refusal.ts';
import type { SchedulingType } from '../studio/artist.ts';
import { type Instant, MINUTE_MS } from '../time/time.ts';
import {
  type BufferedTime,
  type Calendar,
  isAvailableSlot,
  type TimeRange,
} from './availability.ts';
import { type BooksSettings, booksAt } from './books.ts';
import { editionsLeft } from './editions.ts';

/** The booking or request of a client. */
export interface WantedBooking {
  readonly artistId: string;
  /** The zone of the studio. */
  readonly zone: string;
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** Null for a request without a time. */
  readonly time: TimeRange | null;
  /** The client's appointment that gets it, or that it replaces: its own time and edition are free. */
  readonly own: { readonly id: string; readonly project_id: string | null } | null;
}

/** The facts that decide whether a client gets the booking that they want. */
export interface Bookable extends Calendar {
  readonly zone: string;
  readonly studioId: string;
  readonly books: BooksSettings;
  /** Whether the artist has blocked the email or a network of the client; null when loaded without a sender. */
  readonly isSenderBlocked: boolean | null;
  /** Whether times around the wanted one are still stored as reserved although their deadlines have passed. */
  readonly hasExpiredTimes: boolean;
  /** Null when none is wanted, and when the artist never had it. */
  readonly service: {
    readonly isAvailable: boolean;
    readonly duration_minutes: number;
    readonly price: Price | null;
  } | null;
  /** Null when none is wanted, and when the artist never had it. */
  readonly design: {
    readonly isAvailable: boolean;
    readonly duration_minutes: number | null;
    readonly price: Price | null;
    readonly editions: number | null;
    /** How many editions others use up. */
    readonly used: number;
    /** The service with which it is booked. */
    readonly service_id: string | null;
    readonly isServiceAvailable: boolean;
  } | null;
}

/**
 * Judges a new booking or request before it waits for the lock of the calendar. Its refusals come in this order.
 * @param isTakingBookings whether the artist's subscription allows bookings
 * @throws Refusal, InvalidInput of the checks
 */
export function judgeBookingEarly(
  bookable: Bookable,
  wanted: WantedBooking,
  isTakingBookings: boolean,
  now: Instant,
): void {
  // `judgeBooking` checks it too, but its refusals come before those of the artist's books.
  checkSubject(bookable, wanted);
  if (!isTakingBookings) throw refuse('not_taking_bookings');
  checkBooks(bookable, now);
  judgeBooking(bookable, wanted, now);
}

/**
 * Judges a new booking or request, early and again under the lock of the calendar. The subscription and the books
 * are judged only early: they may end while the request waits.
 * @returns the time with its buffer; null for a request without a time
 * @throws Refusal, InvalidInput of the checks
 */
export function judgeBooking(
  bookable: Bookable,
  wanted: WantedBooking,
  now: Instant,
): BufferedTime | null {
  checkSubject(bookable, wanted);
  const time = wanted.time && checkTime(bookable, wanted.time, now);
  if (bookable.isSenderBlocked) throw refuse('sender_blocked');
  return time;
}

/** Checks the service, the design and the length of the time. */
function checkSubject(bookable: Bookable, wanted: WantedBooking): void {
  const { time } = wanted;
  if (time === null) checkRequested(bookable, wanted);
  else checkPicked(bookable, wanted, time);
}

/** Checks a request without a time, whose artist sets it. */
function checkRequested(bookable: Bookable, wanted: WantedBooking): void {
  checkDesign(bookable, wanted);
  checkSchedulingType(bookable, 'managed');
  checkService(bookable, wanted);
}

/** Checks a time that the client has picked. */
function checkPicked(bookable: Bookable, wanted: WantedBooking, time: TimeRange): void {
  checkService(bookable, wanted);
  if (bookable.service) checkLength(bookable, time);
  checkDesign(bookable, wanted);
  checkSchedulingType(bookable, 'service');
  checkServiceOfDesign(bookable, wanted);
  if (bookable.service) return;
  if (!bookable.design?.duration_minutes)
    throw new InvalidInput(['body', 'service_id'], 'Is required');
  checkLength(bookable, time);
}

/**
 * @throws Refusal `service_not_available` when it is unavailable or deleted; `not_found` when the artist
 *   never had it
 */
export function checkService({ service }: Bookable, { serviceId }: WantedBooking): void {
  if (serviceId === null) return;
  if (service === null) throw refuse('not_found');
  if (!service.isAvailable) throw refuse('service_not_available');
}

/**
 * @throws Refusal `design_not_available` when it is claimed, hidden, deleted or used up; `not_found` when
 *   the artist never had it
 */
function checkDesign(bookable: Bookable, { designId }: WantedBooking): void {
  if (designId === null) return;
  if (bookable.design === null) throw refuse('not_found');
  if (!bookable.design.isAvailable) throw refuse('design_not_available');
  checkEdition(bookable);
}

/** @throws Refusal `design_not_available` when others use up all editions */
export function checkEdition({ design }: Bookable): void {
  if (design !== null && editionsLeft(design.editions, design.used) === 0)
    throw refuse('design_not_available');
}

/** @throws InvalidInput `service_changed` when the time does not have the length of the service */
export function checkLength(bookable: Bookable, time: TimeRange): void {
  if (!hasLength(bookable, time))
    throw new InvalidInput(['body', 'end'], SERVICE_CHANGED_TEXT, 'service_changed');
}

/** Whether a time has the length of the service, or of a design without one. */
function hasLength({ service, design }: Bookable, { start, end }: TimeRange): boolean {
  const minutes = (service ?? design)?.duration_minutes ?? null;
  return minutes !== null && end - start === minutes * MINUTE_MS;
}

/**
 * Refuses any service for a design with a length of its own. For other designs with a service that clients
 * can book, refuses all other services.
 */
function checkServiceOfDesign({ design }: Bookable, { serviceId }: WantedBooking): void {
  if (design === null) return;
  const { service_id: own, duration_minutes, isServiceAvailable } = design;
  if (own !== null && !isServiceAvailable) return;
  const isAllowed =
    duration_minutes === null ? own === null || own === serviceId : serviceId === null;
  if (!isAllowed)
    throw new InvalidInput(['body', 'service_id'], SERVICE_CHANGED_TEXT, 'service_changed');
}

/** @throws Refusal `books_closed` */
function checkBooks({ books }: Bookable, now: Instant): void {
  if (!booksAt(books, now).isOpen) throw refuse('books_closed');
}

/**
 * @param expected `managed`: the artist sets the times; `service`: clients pick a time of a service
 * @throws Refusal `wrong_scheduling_type`
 */
function checkSchedulingType({ books }: Bookable, expected: SchedulingType): void {
  if (books.scheduling_type !== expected) throw refuse('wrong_scheduling_type');
}

/** An appointment whose time is not reserved, which its client wants to confirm. */
export interface Rebooking {
  readonly bookable: Bookable;
  readonly wanted: WantedBooking & { readonly time: TimeRange };
  /** Whether its deadline has passed. */
  readonly isExpired: boolean;
  readonly isSetByArtist: boolean;
  /** Whether the artist's subscription allows bookings. */
  readonly isTakingBookings: boolean;
  /** Whether limits no longer count the request; false for a time that the artist has set. */
  readonly isTooOld: boolean;
}

/**
 * Judges a late confirmation as a new booking, apart from its time. A time that the artist has set may have any
 * length and no service.
 * @throws Refusal `books_closed`, `service_not_available`, `design_not_available`, `service_changed`,
 *   `wrong_scheduling_type`, `not_taking_bookings`; `time_taken` when it is too old
 */
export function judgeRebooking(rebooking: Rebooking, now: Instant): void {
  const { bookable, wanted, isSetByArtist } = rebooking;
  if (rebooking.isExpired) checkBooks(bookable, now);
  checkService(bookable, wanted);
  checkDesign(bookable, wanted);
  if (!isSetByArtist && !hasLength(bookable, wanted.time)) throw refuse('service_changed');
  if (!isSetByArtist || bookable.service !== null) checkSchedulingType(bookable, 'service');
  if (!rebooking.isTakingBookings) throw refuse('not_taking_bookings');
  if (rebooking.isTooOld) throw refuse('time_taken');
}

/**
 * Accepts a time that the artist's page lists.
 * @param listedAt also accepts what was listed at this instant: the artist's notice has not passed then
 * @throws Refusal `time_taken`
 */
export function checkTime(
  bookable: Bookable,
  { start, end }: TimeRange,
  now: Instant,
  listedAt = now,
): BufferedTime {
  const durationMinutes = (end - start) / MINUTE_MS;
  if (![now, listedAt].some((at) => isAvailableSlot(bookable, durationMinutes, start, at)))
    throw refuse('time_taken');
  return { start, end, blockedUntil: end + bookable.schedule.buffer_minutes * MINUTE_MS };
}
