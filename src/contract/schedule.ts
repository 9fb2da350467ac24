import * as z from 'zod/mini';
import { areWindowsValid, MAX_BUFFER_MINUTES } from '#domain/booking/schedule.ts';
import { MAX_SCHEDULE_EXCEPTIONS } from '#domain/requests/list_limits.ts';
import { LocalDate, namedObject } from './common.ts';

const WallTime = z
  .string()
  .check(
    z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM'),
    z.meta({ maxLength: 5, examples: ['10:00'] }),
  );

const OpeningWindow = z.strictObject({
  start: WallTime,
  end: z.union([WallTime, z.literal('24:00')], 'Must be HH:MM, 24:00 at the latest'),
});

const OpeningWindows = z
  .array(OpeningWindow)
  .check(
    z.maxLength(24),
    z.refine(areWindowsValid, 'Windows must end after they start and may not overlap'),
    z.describe(
      "Hours past midnight are two windows: until 24:00, and from 00:00 of the next day. Windows that touch, also at midnight, are one stretch: starts count from each window's start, and an appointment ends within the stretch",
    ),
  );

const Weekday = z.int().check(z.minimum(1), z.maximum(7));
const Weekly = z.array(z.strictObject({ weekday: Weekday, windows: OpeningWindows })).check(
  z.maxLength(7),
  z.refine((days) => areDistinct(days.map((day) => day.weekday)), 'Each weekday once'),
);

const Exceptions = z.array(z.strictObject({ date: LocalDate, windows: OpeningWindows })).check(
  z.maxLength(
    MAX_SCHEDULE_EXCEPTIONS,
    `At most ${MAX_SCHEDULE_EXCEPTIONS.toLocaleString('en-US')} dates can have hours of their own`,
  ),
  z.refine((days) => areDistinct(days.map((day) => day.date)), 'Each date once'),
);

const BufferMinutes = z.int().check(z.minimum(0), z.maximum(MAX_BUFFER_MINUTES));
const ClientNoticeHours = z.nullable(z.int().check(z.minimum(0), z.maximum(8760)));
const scheduleFields = {
  weekly: Weekly.check(z.describe('ISO weekdays: 1 Monday to 7 Sunday')),
  exceptions: Exceptions.check(z.describe("Replace that date's weekly windows")),
  slot_interval_minutes: z.int().check(z.minimum(5), z.maximum(1440)),
  buffer_minutes: BufferMinutes.check(z.describe('Follows every appointment')),
  minimum_notice_minutes: z.int().check(z.minimum(0), z.maximum(525_600)),
  client_cancel_notice_hours: ClientNoticeHours.check(
    z.describe('Until how long before the start clients may cancel; null: never, 0: until then'),
  ),
  client_move_notice_hours: ClientNoticeHours.check(
    z.describe('Until how long before the start clients may move; null: never, 0: until then'),
  ),
};

export const Schedule = namedObject('Schedule', scheduleFields);
export type Schedule = z.output<typeof Schedule>;

/** Fields left out keep their value. */
export const ScheduleChanges = z.partial(z.strictObject(scheduleFields));
export type ScheduleChanges = z.output<typeof ScheduleChanges>;

/** How far ahead clients may book. Dates are in the studio's zone, both included. */
export const BookingRange = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('rolling'),
      days: z.int().check(z.minimum(0), z.maximum(731)),
    }),
    z.strictObject({ kind: z.literal('fixed'), start: LocalDate, end: LocalDate }).check(
      z.refine(({ start, end }) => start <= end, {
        path: ['end'],
        error: 'Must not be before the start',
      }),
    ),
    z.strictObject({ kind: z.literal('open') }),
  ])
  .check(z.meta({ id: 'BookingRange' }));
export type BookingRange = z.output<typeof BookingRange>;

function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
