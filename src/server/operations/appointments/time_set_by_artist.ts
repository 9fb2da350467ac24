/** A time that the artist sets: read from the call, and given its room in the calendar. */
import { END_ERROR, isValidLength } from '#contract/appointment.ts';
import { isInYears, type StudioMinuteInput, YEARS_ERROR } from '#contract/common.ts';
import { type BufferedTime, blockedRange, type TimeRange } from '#domain/booking/availability.ts';
import { findOverlaps } from '#domain/booking/time_conflicts.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS, parseWallTime } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import { listReservedTimes, shortenBuffers } from '#server/database/appointment_times.ts';
import type { Context, InChange } from '../context.ts';
import { expireHolds } from './expire_holds.ts';

const SKIPPED_ERROR = 'Clocks skip this time on that day';

/** The first and the last minute of a time that the artist sent, both included. */
export type StudioRange = Readonly<Record<'start' | 'end', StudioMinuteInput>>;

/**
 * Converts a time that the artist sent, as instants or as wall-clock times of the studio, to instants.
 * @returns with an exclusive end
 * @throws InvalidInput for a time that a change of clocks skips, and when the end is before the start
 */
export function parseStudioRange(zone: string, { start, end }: StudioRange): TimeRange {
  const first = parseStudioMinute(zone, start, 'start');
  const last = parseStudioMinute(zone, end, 'end');
  if (!isValidLength(first, last)) throw new InvalidInput(['body', 'end'], END_ERROR);
  return { start: first, end: last + MINUTE_MS };
}

function parseStudioMinute(zone: string, sent: StudioMinuteInput, name: string): Instant {
  if (typeof sent === 'string') return Date.parse(sent);
  const [date = '', time = ''] = sent.local.split('T');
  const { isSkipped, instant } = resolveWallTime(zone, date, parseWallTime(time));
  if (isSkipped) throw new InvalidInput(['body', name, 'local'], SKIPPED_ERROR);
  // In a zone west of UTC, the last evening of 2199 is in 2200.
  if (!isInYears(instant)) throw new InvalidInput(['body', name, 'local'], YEARS_ERROR);
  return instant;
}

/** A time that the artist sets. */
export interface TimeSetByArtist {
  readonly time: TimeRange;
  /** Whether its buffer, and those of times before it, are shortened where they overlap; else it is refused. */
  readonly ignoresBuffer: boolean;
}

/**
 * Makes room for a time that the artist sets, and for the buffer after it as far as no later time shortens it.
 * First expires overlapping holds and offers whose deadline has passed.
 * @param id of the appointment that gets the time; null for a new one
 * @throws Refusal `time_taken`, `buffer_touched`
 */
export async function makeRoomForArtist(
  context: InChange<Context>,
  { id, artist_id: artistId }: { readonly id: string | null; readonly artist_id: string },
  { time: { start, end }, ignoresBuffer }: TimeSetByArtist,
  now: Instant,
): Promise<BufferedTime> {
  const { database } = context;
  const { buffer_minutes } = await database
    .selectFrom('schedules')
    .select('buffer_minutes')
    .where('artist_id', '=', artistId)
    .executeTakeFirstOrThrow();
  const wanted = { start, end, blockedUntil: end + buffer_minutes * MINUTE_MS };
  const overlapping = blockedRange(wanted);
  await expireHolds(context, artistId, { overlapping }, now);
  const stored = await listReservedTimes(database, artistId, overlapping);
  const reserved = stored
    .filter(({ appointmentId }) => appointmentId !== id)
    .map(({ id: timeId, time }) => ({ timeId, ...time }));
  const { overlaps, bufferOverlaps } = findOverlaps(reserved, wanted);
  if (overlaps.length > 0) throw refuse('time_taken');
  if (bufferOverlaps.length > 0 && !ignoresBuffer) throw refuse('buffer_touched');
  const before = bufferOverlaps.filter((other) => other.start < start);
  const idsBefore = before.map(({ timeId }) => timeId);
  await shortenBuffers(database, artistId, idsBefore, start);
  const startsAfter = bufferOverlaps.map((other) => other.start).filter((other) => other > start);
  const blockedUntil = Math.min(wanted.blockedUntil, ...startsAfter);
  return { start, end, blockedUntil };
}
