import * as z from 'zod/mini';
import type { CurrentArtist } from '#contract/artist.ts';
import type { TimeRange } from '#domain/availability.ts';
import { nextOpenHour, resolveStudioTime, toStudioTime } from '#domain/studio_time.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';

/** The fields of a day, a clock time and a length, as typed. */
export const TIME_FIELDS = {
  date: z.string().check(z.refine(isDate, 'Pick a day')),
  time: z.string().check(z.regex(/^\d\d:\d\d$/, 'Pick a time')),
  minutes: z
    .string()
    .check(z.refine(isDuration, 'Must be a whole number of minutes, from 5 to 1440')),
};

export interface TypedTime {
  readonly date: string;
  readonly time: string;
  readonly minutes: string;
}

/** Judges a time in the studio's zone; an offer must lie ahead, so that the client can take it. */
export function timeSchema(zone: string, mustLieAhead: boolean) {
  return z.object(TIME_FIELDS).check(...timeChecks(zone, mustLieAhead));
}

/** What a form with a time judges beyond its fields. */
export function timeChecks(zone: string, mustLieAhead: boolean) {
  return [
    z.refine<TypedTime>((typed) => !isTypedTime(typed) || parseTypedTime(zone, typed) !== null, {
      path: ['time'],
      error: 'Clocks skip this time on that day. Please pick another.',
    }),
    z.refine<TypedTime>(
      (typed) => {
        const read = parseTypedTime(zone, typed);
        return !mustLieAhead || read === null || read.start > Date.now();
      },
      { path: ['time'], error: 'Must lie in the future' },
    ),
  ] as const;
}

/** When that is, the end excluded; null for what is no time, or not yet. */
export function parseTypedTime(zone: string, typed: TypedTime): TimeRange | null {
  const { date, time, minutes } = typed;
  return isTypedTime(typed)
    ? resolveStudioTime(zone, { date, time, minutes: Number(minutes) })
    : null;
}

/** What a form begins with; `end` is excluded. */
export function toTypedTime(zone: string, stretch: TimeRange): TypedTime {
  const { date, time, minutes } = toStudioTime(zone, stretch);
  return { date, time, minutes: String(minutes) };
}

/** A time to begin with when there is none yet. */
export function defaultTime(
  { schedule, studio }: Pick<CurrentArtist, 'schedule' | 'studio'>,
  now: Instant,
  minutes: number,
): TypedTime {
  const start = nextOpenHour(schedule, studio.time_zone, now);
  return toTypedTime(studio.time_zone, { start, end: start + minutes * MINUTE_MS });
}

/** Whether this is a date, as far as the API takes them. */
export function isDate(typed: string): boolean {
  return /^2[01]\d\d-\d\d-\d\d$/.test(typed) && !Number.isNaN(Date.parse(typed));
}

function isDuration(typed: string): boolean {
  return /^\d{1,4}$/.test(typed) && Number(typed) >= 5 && Number(typed) <= 1440;
}

function isTypedTime({ date, time, minutes }: TypedTime): boolean {
  return (
    TIME_FIELDS.date.safeParse(date).success &&
    TIME_FIELDS.time.safeParse(time).success &&
    TIME_FIELDS.minutes.safeParse(minutes).success
  );
}
