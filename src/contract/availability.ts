import * as z from 'zod/mini';
import { LAST_MINUTE_DESCRIPTION, namedObject, TimestampOutput, ZoneOffsets } from './common.ts';

/** A month in the studio's zone; `month` counts from 1. */
export const MonthQuery = z.object({
  year: z.coerce.number<number | string>().check(z.int(), z.minimum(2000), z.maximum(2199)),
  month: z.coerce.number<number | string>().check(z.int(), z.minimum(1), z.maximum(12)),
});
export type MonthQuery = z.output<typeof MonthQuery>;

/** A free time: of a service or design, one that can be booked; of an artist, a free stretch. */
export const Slot = namedObject('Window', {
  start: TimestampOutput,
  end: TimestampOutput.check(z.describe(LAST_MINUTE_DESCRIPTION)),
});
export type Slot = z.output<typeof Slot>;

/** A date with a free time; the date is in the studio's zone. */
export const AvailableDay = z.object({
  date: z.string().check(
    z.meta({
      examples: ['2026-12-01'],
      description:
        "In the studio's zone; of the start of each window. A slot may end on the next date, a free stretch of an artist ends at midnight",
    }),
  ),
  windows: z.array(Slot),
});
export type AvailableDay = z.output<typeof AvailableDay>;

/** Only dates with a free time, in order. */
export const Availability = namedObject('Availability', {
  data: z.array(AvailableDay),
  offsets: ZoneOffsets,
});
export type Availability = z.output<typeof Availability>;
