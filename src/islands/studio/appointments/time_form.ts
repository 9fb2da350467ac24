// The form fields for a day, a clock time and a length: their schema, and conversion to instants.

import * as z from 'zod/mini';
import { serverNow } from '#client/server_clock.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { trimmedText } from '#contract/common.ts';
import type { TimeRange } from '#domain/availability.ts';
import type { LocalDate } from '#domain/calendar_date.ts';
import {
  isDate,
  nextOpenHour,
  resolveStudioTime,
  type StudioTime,
  toStudioTime,
} from '#domain/studio_time.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { resolveWallTime } from '#domain/wall_clock.ts';
import { coversDate, type StudioZone } from '#domain/zone_offsets.ts';

export const DEFAULT_MINUTES = 120;

/** The fields as typed: `YYYY-MM-DD`, `HH:MM`, and a whole number of minutes. */
export const TIME_FIELDS = {
  date: z.string().check(z.refine(isDate, 'Pick a day')),
  time: z.string().check(z.regex(/^\d\d:\d\d$/, 'Pick a time')),
  minutes: z
    .string()
    .check(z.refine(isDuration, 'Must be a whole number of minutes, from 5 to 1440')),
};
const TimeFieldsSchema = z.object(TIME_FIELDS);
export type TypedTime = z.output<typeof TimeFieldsSchema>;

/**
 * The fields and checks of a time, and a note to the client. An offer must lie ahead, so that the
 * client can confirm it.
 */
export function timeSchema(zone: StudioZone, mustLieAhead: boolean) {
  return z
    .object({ ...TIME_FIELDS, note: trimmedText(2000) })
    .check(...timeChecks(zone, mustLieAhead));
}
export type TimeForm = z.output<ReturnType<typeof timeSchema>>;

/**
 * The checks that need all three fields and the studio's zone. On a date that its offsets do not cover,
 * only the server can tell.
 */
export function timeChecks(zone: StudioZone, mustLieAhead: boolean) {
  return [
    z.refine<TypedTime>(
      (typed) =>
        !isComplete(typed) || !coversDate(zone, typed.date) || parseTypedTime(zone, typed) !== null,
      { path: ['time'], error: 'Clocks skip this time on that day. Please pick another.' },
    ),
    z.refine<TypedTime>(
      (typed) => {
        const range = parseTypedTime(zone, typed);
        return !mustLieAhead || range === null || range.start > serverNow();
      },
      { path: ['time'], error: 'Must lie in the future' },
    ),
  ] as const;
}

/**
 * The instants of a typed time, `end` excluded. null while a field is missing or wrong, for a clock
 * time that a change to summer time skips, and on a date that the studio's offsets do not cover.
 */
export function parseTypedTime(zone: StudioZone, typed: TypedTime): TimeRange | null {
  if (!isComplete(typed) || !coversDate(zone, typed.date)) return null;
  return resolveStudioTime(zone, readTypedTime(typed));
}

/** A time whose fields are complete. */
export function readTypedTime({ date, time, minutes }: TypedTime): StudioTime {
  return { date, time, minutes: Number(minutes) };
}

/** The initial values of the fields; the range's `end` is excluded. */
export function toTypedTime(zone: StudioZone, range: TimeRange): TypedTime {
  const { date, time, minutes } = toStudioTime(zone, range);
  return { date, time, minutes: String(minutes) };
}

/**
 * The initial values for an appointment without a time: the next hour that the studio is open,
 * or 10:00 if it is always closed.
 * @param from not before this date
 */
export function defaultTime(
  { schedule, studio }: CurrentArtist,
  minutes = DEFAULT_MINUTES,
  from?: LocalDate,
): TypedTime {
  const earliest = from ? resolveWallTime(studio, from, 0).instant - MINUTE_MS : serverNow();
  const start = nextOpenHour(schedule, studio, earliest);
  return toTypedTime(studio, { start, end: start + minutes * MINUTE_MS });
}

function isDuration(typed: string): boolean {
  return /^\d{1,4}$/.test(typed) && Number(typed) >= 5 && Number(typed) <= 1440;
}

function isComplete(typed: TypedTime): boolean {
  return TimeFieldsSchema.safeParse(typed).success;
}
