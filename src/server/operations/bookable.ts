/** Whether clients can book: the service, the design and the time, as the artist offers them now. */
import { computeSlots, isAvailableSlot, type TimeRange } from '#domain/availability.ts';
import { addDays } from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { nearestSlots } from '#domain/nearest_slots.ts';
import { Refusal, refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { findPublicDesign, isDesignOfArtist } from '#server/database/designs.ts';
import { findService, isServiceOfArtist, type ServiceRow } from '#server/database/services.ts';
import { loadCalendar, toCalendarQuery } from './availability.ts';

/**
 * Finds a service that clients can book.
 * @throws Refusal `service_not_available` when it is unavailable or deleted; `not_found` when the
 *   artist never had it
 */
export async function requireAvailableService(
  database: Database,
  artistId: string,
  serviceId: string,
): Promise<ServiceRow> {
  const service = await findService(database, artistId, serviceId, { onlyAvailable: true });
  if (service) return service;
  const wasOffered = await isServiceOfArtist(database, artistId, serviceId);
  throw refuse(wasOffered ? 'service_not_available' : 'not_found');
}

/**
 * Accepts no design, or one that clients can book.
 * @throws Refusal `design_not_available` when it is claimed, hidden or deleted; `not_found` when the
 *   artist never had it
 */
export async function requireAvailableDesign(
  database: Database,
  artistId: string,
  designId: string | null | undefined,
): Promise<void> {
  if (!designId) return;
  const design = await findPublicDesign(database, designId, ['available']);
  if (design?.artist_id === artistId) return;
  const wasOffered = await isDesignOfArtist(database, artistId, designId);
  throw refuse(wasOffered ? 'design_not_available' : 'not_found');
}

/** In how many days before and after a taken time the nearest free ones are looked for. */
const NEAREST_DAYS = 21;

/** A time that a client wants of an artist. It has the length of a service. */
export interface WantedSlot {
  readonly artist: { readonly id: string; readonly time_zone: string };
  readonly time: TimeRange;
  /** An appointment whose own time does not count as taken. */
  readonly exceptAppointmentId?: string | undefined;
}

/**
 * Adds the nearest free times to a refusal of a taken time. They are looked for after the refusal, so
 * that the search does not hold the lock of the artist's calendar.
 * @param findWanted finds the time that was refused; null if it is not known
 */
export async function withNearestTimes<T>(
  database: Database,
  findWanted: () => Promise<WantedSlot | null>,
  now: Instant,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'time_taken') throw error;
    const wanted = await findWanted();
    if (wanted === null) throw error;
    const { artist, time, exceptAppointmentId } = wanted;
    const date = localDateAt(artist.time_zone, time.start);
    const span = { first: addDays(date, -NEAREST_DAYS), last: addDays(date, NEAREST_DAYS) };
    const query = { ...toCalendarQuery(span.first, span.last, now), exceptAppointmentId };
    const calendar = await findCalendar(database, artist.id, query);
    // An inactive artist has no free times.
    if (calendar === undefined) throw error;
    const duration = (time.end - time.start) / MINUTE_MS;
    const slots = computeSlots(calendar, duration, span.first, span.last, now).flatMap(
      ({ times }) => times,
    );
    throw new Refusal('time_taken', nearestSlots(slots, time.start));
  }
}

interface TimeOptions {
  readonly exceptAppointmentId?: WantedSlot['exceptAppointmentId'];
  /** Also accepts a time that was listed at this instant: the artist's notice has not passed then. */
  readonly listedAt?: Instant;
}

/**
 * Accepts a time that the artist's page lists.
 * @returns the buffer: minutes to leave free after it
 * @throws Refusal `time_taken`
 */
export async function requireAvailableTime(
  database: Database,
  artist: { readonly id: string; readonly time_zone: string },
  { start, end }: TimeRange,
  now: Instant,
  { exceptAppointmentId, listedAt = now }: TimeOptions = {},
): Promise<number> {
  const date = localDateAt(artist.time_zone, start);
  const calendar = await loadCalendar(database, artist.id, date, date, now, exceptAppointmentId);
  const duration = (end - start) / MINUTE_MS;
  if ([now, listedAt].some((instant) => isAvailableSlot(calendar, duration, start, instant)))
    return calendar.schedule.buffer_minutes;
  throw refuse('time_taken');
}
