import * as z from 'zod/mini';
import { LAST_MINUTE_DESCRIPTION, TimestampOutput } from './common.ts';

/** A month in the studio's zone; `month` counts from 1. */
export const MonthQuery = z.object({
  year: z.coerce.number().check(z.int(), z.minimum(2000), z.maximum(2199)),
  month: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(12)),
});
export type MonthQuery = z.output<typeof MonthQuery>;

export const Slot = z
  .object({
    start: TimestampOutput,
    end: TimestampOutput.check(z.describe(LAST_MINUTE_DESCRIPTION)),
  })
  .check(z.meta({ id: 'Window' }));
export type Slot = z.output<typeof Slot>;

/** Only dates with a free time, in order; dates are in the studio's zone. */
export const Availability = z
  .object({
    data: z.array(
      z.object({
        date: z.string().check(z.meta({ examples: ['2026-12-01'] })),
        windows: z.array(Slot),
      }),
    ),
  })
  .check(z.meta({ id: 'Availability' }));
export type Availability = z.output<typeof Availability>;
export type AvailableDay = Availability['data'][number];
