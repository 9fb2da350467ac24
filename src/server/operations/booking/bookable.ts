/** Whether clients can book what they want now, and what they can have instead. */
import type { Design } from '#contract/design.ts';
import { computeSlots } from '#domain/booking/availability.ts';
import type { WantedBooking } from '#domain/booking/booking_checks.ts';
import { editionsLeft } from '#domain/booking/editions.ts';
import { nearestSlots } from '#domain/booking/nearest_slots.ts';
import { Refusal, refusalReasonOf, refuse, requireFound } from '#domain/refusal.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { listAlike } from '#domain/studio/design.ts';
import { addDays } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { type BookableOptions, findBookable } from '#server/database/bookables.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { countUsedEditions, type WantingAppointment } from '#server/database/editions.ts';
import { findArtistDesign, listDesigns } from '../catalogue/designs.ts';
import type { Context } from '../context.ts';
import { toCalendarQuery } from './availability.ts';

/**
 * Loads what the checks of a booking judge. Under the lock of the artist's calendar, it stays the same until
 * the booking is stored.
 * @throws Refusal `not_found` for an inactive artist
 */
export async function loadBookable(
  database: Database,
  wanted: WantedBooking & BookableOptions,
  now: Instant,
) {
  const date = localDateAt(wanted.zone, wanted.time?.start ?? now);
  return requireFound(
    await findBookable(database, wanted, toCalendarQuery({ first: date, last: date }, now)),
  );
}

/**
 * Accepts a design that the artist may give once more.
 * @throws Refusal `editions_used_up`
 */
export async function requireEdition(
  transaction: Transaction,
  { id, editions }: { readonly id: string; readonly editions: number | null },
  wanting: WantingAppointment,
  now: Instant,
): Promise<void> {
  if (editions === null) return;
  const used = await countUsedEditions(transaction, id, now, wanting);
  if (editionsLeft(editions, used) === 0) throw refuse('editions_used_up');
}

/** Counts for the metrics a request or a confirmation that was refused or has failed. */
export function countRefusedBooking({ metrics }: Pick<Context, 'metrics'>, error: unknown): void {
  const reason = refusalReasonOf(error);
  metrics.countBooking(reason === undefined ? 'failed' : 'refused', reason);
}

/**
 * Adds what the client can have instead to the refusal of a time or a design; returns other errors as they
 * are. Call it after the change, so that the search does not hold the lock of the artist's calendar.
 * @param loadWanted called only if there may be something else
 * @param now a time before the refusal
 */
export async function withAlternatives(
  context: Pick<Context, 'database' | 'images'>,
  loadWanted: () => Promise<WantedBooking>,
  error: unknown,
  now: Instant,
): Promise<unknown> {
  const reason = refusalReasonOf(error);
  if (reason !== 'time_taken' && reason !== 'design_not_available') return error;
  const wanted = await loadWanted();
  const { artistId, designId } = wanted;
  if (reason === 'time_taken')
    return new Refusal('time_taken', { nearest: await listNearest(context.database, wanted, now) });
  if (designId === null) return error;
  const alike = await listAlikeDesigns(context, artistId, designId);
  return new Refusal('design_not_available', {
    alike: alike.map(({ id, name, image }) => ({ id, name, file_url: image.file_url })),
  });
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

/** The nearest free times are looked for at most so many days before a taken time, and after it. */
const NEAREST_DAYS = 21;

/** The free times that are nearest to a taken one, of the same length. */
async function listNearest(
  database: Database,
  { artistId, zone, time, own }: WantedBooking,
  now: Instant,
) {
  if (time === null) return [];
  const date = localDateAt(zone, time.start);
  const dates = { first: addDays(date, -NEAREST_DAYS), last: addDays(date, NEAREST_DAYS) };
  const query = { ...toCalendarQuery(dates, now), exceptAppointmentId: own?.id };
  const calendar = await findCalendar(database, artistId, query);
  // An inactive artist has no free times.
  if (calendar === undefined) return [];
  const days = computeSlots(calendar, (time.end - time.start) / MINUTE_MS, dates, now);
  const slots = days.flatMap(({ times }) => times);
  return nearestSlots(slots, time.start);
}
