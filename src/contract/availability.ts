import * as z from 'zod/mini';
import { LAST_MINUTE_DESCRIPTION, TimestampOutput } from './common.ts';

/** A month of the studio; `month` counts from 1. */
export const MonthQuery = z.object({
  year: z.coerce.number().check(z.int(), z.minimum(2000), z.maximum(2199)),
  month: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(12)),
});
export type MonthQuery = z.output<typeof MonthQuery>;

export const Slot = z
  .object({
    start: TimestampOutput,
    end: TimestampOutput.check(
      z.meta({ description: LAST_MINUTE_DESCRIPTION, format: 'date-time' }),
    ),
  })
  .check(z.meta({ id: 'Window' }));
export type Slot = z.output<typeof Slot>;

/** Only dates with a window, in order; dates are the studio's. */
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
