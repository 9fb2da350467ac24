/**
 * The checks of a booking: each decides about what was loaded before. Requests and moves name those that bind
 * them. An artist who sets a time is bound by the editions of a design, not by hours or notice.
 */
import type { SchedulingType } from './artist.ts';
import { type Calendar, isAvailableSlot, type TimeRange } from './availability.ts';
import { type BooksSettings, booksAt } from './books.ts';
import { editionsLeft } from './editions.ts';
import type { Price } from './price.ts';
import { refuse } from './refusal.ts';
import { type Instant, MINUTE_MS } from './time.ts';

/** The booking or request of a client. */
export interface WantedBooking {
  readonly artistId: string;
  /** The zone of the studio. */
  readonly zone: string;
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** Null for a request without a time. */
  readonly time: TimeRange | null;
  /** Who wants it. The email is null when it is not known. */
  readonly sender: { readonly email: string | null; readonly networks: readonly string[] };
  /** The client's appointment that gets it, or that it replaces: its own time and edition are free. */
  readonly own: { readonly id: string; readonly project_id: string | null } | null;
}

/** What decides whether a client gets the booking that they want. An offer is something else: a time that an artist sets. */
export interface Bookable extends Calendar {
  readonly zone: string;
  readonly studioId: string;
  readonly books: BooksSettings;
  readonly isSenderBlocked: boolean;
  /** Whether times around the wanted one are still stored as reserved although their deadlines have passed. */
  readonly hasLapsedTimes: boolean;
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

/** @throws Refusal `sender_blocked` when the artist has blocked the email or a network of the client */
export function checkSender({ isSenderBlocked }: Bookable): void {
  if (isSenderBlocked) throw refuse('sender_blocked');
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
export function checkDesign(bookable: Bookable, { designId }: WantedBooking): void {
  if (designId === null) return;
  if (bookable.design === null) throw refuse('not_found');
  if (!bookable.design.isAvailable) throw refuse('design_not_available');
  checkEdition(bookable);
}

function checkEdition({ design }: Bookable): void {
  if (design !== null && editionsLeft(design.editions, design.used) === 0)
    throw refuse('design_not_available');
}

/** Whether a time has the length of the service, or of a design without one. */
export function hasLength({ service, design }: Bookable, { start, end }: TimeRange): boolean {
  const minutes = (service ?? design)?.duration_minutes ?? null;
  return minutes !== null && end - start === minutes * MINUTE_MS;
}

/**
 * @param expected `managed`: the artist sets the times; `service`: clients pick a time of a service
 * @throws Refusal `wrong_scheduling_type`
 */
export function checkSchedulingType({ books }: Bookable, expected: SchedulingType): void {
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
  /** Whether limits no longer count the request. */
  readonly isTooOld: boolean;
}

/**
 * Judges it as a new booking, but for its time. A time that the artist has set may have any length and no
 * service; until its deadline, it only needs an edition.
 * @throws Refusal `books_closed`, `service_not_available`, `design_not_available`, `service_changed`,
 *   `wrong_scheduling_type`, `not_taking_bookings`; `time_taken` when it is too old
 */
export function checkRebooking(rebooking: Rebooking, now: Instant): void {
  const { bookable, wanted, isExpired, isSetByArtist } = rebooking;
  if (isSetByArtist && !isExpired) {
    checkEdition(bookable);
    return;
  }
  if (isExpired && !booksAt(bookable.books, now).isOpen) throw refuse('books_closed');
  checkService(bookable, wanted);
  checkDesign(bookable, wanted);
  if (!isSetByArtist && !hasLength(bookable, wanted.time)) throw refuse('service_changed');
  if (!isSetByArtist || bookable.service !== null) checkSchedulingType(bookable, 'service');
  if (!rebooking.isTakingBookings) throw refuse('not_taking_bookings');
  if (!isSetByArtist && rebooking.isTooOld) throw refuse('time_taken');
}

/** A time with the buffer after it. */
export interface BufferedTime extends TimeRange {
  /** From the start to the end of the buffer. */
  readonly blocked: TimeRange;
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
  const buffer = bookable.schedule.buffer_minutes * MINUTE_MS;
  return { start, end, blocked: { start, end: end + buffer } };
}
