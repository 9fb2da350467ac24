/** Whether clients can book: the service, the design and the time, as the artist offers them now. */
import type { Design } from '#contract/design.ts';
import { computeSlots, isAvailableSlot, type TimeRange } from '#domain/availability.ts';
import { addDays } from '#domain/calendar_date.ts';
import { listAlike } from '#domain/design.ts';
import { editionsLeft } from '#domain/editions.ts';
import { localDateAt } from '#domain/format_time.ts';
import { MAX_PAGE_SIZE } from '#domain/list_limits.ts';
import { nearestSlots } from '#domain/nearest_slots.ts';
import { Refusal, refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { countUsedEditions } from '#server/database/editions.ts';
import { loadCalendar, toCalendarQuery } from './availability.ts';
import type { Context } from './context.ts';
import {
  findArtistDesign,
  findPublicDesign,
  isOfArtist,
  listDesigns,
  type PublicDesignRow,
} from './designs.ts';
import { findService, type ServiceRow } from './services.ts';

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
  const wasOffered = await isOfArtist(database, 'services', artistId, serviceId);
  throw refuse(wasOffered ? 'service_not_available' : 'not_found');
}

/** An appointment that is judged, and so does not count among those that use up its design. */
interface ExcludedAppointment {
  /** Null for one that is not stored yet. */
  readonly id: string | null;
  readonly project_id: string | null;
}

const NEW_APPOINTMENT: ExcludedAppointment = { id: null, project_id: null };

/**
 * Accepts no design, or one that clients can book. Only inside `updateCalendar` does the design stay
 * free until the appointment is stored.
 * @param judged the appointment that wants it
 * @returns the design; null without one
 * @throws Refusal `design_not_available` when it is claimed, hidden, deleted or used up; `not_found`
 *   when the artist never had it
 */
export async function requireAvailableDesign(
  database: Database,
  artistId: string,
  designId: string | null | undefined,
  now: Instant,
  judged: ExcludedAppointment = NEW_APPOINTMENT,
): Promise<PublicDesignRow | null> {
  if (!designId) return null;
  const design = await findPublicDesign(database, designId, ['available']);
  if (design?.artist_id !== artistId) {
    const wasOffered = await isOfArtist(database, 'designs', artistId, designId);
    throw refuse(wasOffered ? 'design_not_available' : 'not_found');
  }
  await requireEdition(database, design, now, judged, 'design_not_available');
  return design;
}

/**
 * Accepts a design that may be tattooed once more.
 * @param reason of the refusal: the artist and clients read different texts
 * @throws Refusal `reason`
 */
export async function requireEdition(
  database: Database,
  { id, editions }: { readonly id: string; readonly editions: number | null },
  now: Instant,
  judged: ExcludedAppointment,
  reason: 'design_not_available' | 'editions_used_up',
): Promise<void> {
  if (editions === null) return;
  const except = { id: judged.id, projectId: judged.project_id };
  const used = await countUsedEditions(database, id, now, except);
  if (editionsLeft(editions, used) === 0) throw refuse(reason);
}

/**
 * Adds designs that are alike to a refusal of a design. They are looked for after the refusal, so that
 * the search does not hold the lock of the artist's calendar.
 * @param findDesignId finds the design that was refused
 */
export async function withAlikeDesigns<T>(
  { database, images }: Pick<Context, 'database' | 'images'>,
  artistId: string,
  findDesignId: () => Promise<string | null | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'design_not_available') throw error;
    const designId = await findDesignId();
    const alike = designId ? await listAlikeDesigns({ database, images }, artistId, designId) : [];
    throw new Refusal('design_not_available', {
      alike: alike.map(({ id, name, image }) => ({ id, name, file_url: image.file_url })),
    });
  }
}

/**
 * Designs that clients can book and that are like this one, which is gone. None for a design without a
 * limit: its artist decides alone whether clients can have it.
 */
export async function listAlikeDesigns(
  { database, images }: Pick<Context, 'database' | 'images'>,
  artistId: string,
  designId: string,
): Promise<Design[]> {
  const wanted = await findArtistDesign(database, artistId, designId);
  if (!wanted || wanted.editions === null) return [];
  const page = { skip: 0, limit: MAX_PAGE_SIZE };
  const { data } = await listDesigns({ database, images }, artistId, page, 'bookable');
  return listAlike({ ...wanted, left: 0 }, data);
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
    throw new Refusal('time_taken', { nearest: nearestSlots(slots, time.start) });
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
