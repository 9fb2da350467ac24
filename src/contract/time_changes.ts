import * as z from 'zod/mini';
import { MAX_TIME_CHANGES } from '#domain/requests/list_limits.ts';
import { ZONE_CHANGE_MODES } from '#domain/studio/studio_change.ts';
import { Appointment } from './appointment.ts';
import { Id, namedInput, namedObject } from './common.ts';

/** An appointment at whose start clocks will show another time than was agreed, because of newer zone data. */
export const TimeChange = namedObject('TimeChange', {
  ...Appointment.shape,
  agreed: z
    .object({ local: z.string().check(z.meta({ examples: ['2027-01-13T10:00'] })) })
    .check(z.describe('What the studio’s clocks were to show at the start; now they show another')),
});
export type TimeChange = z.output<typeof TimeChange>;

export const TimeChangesAnswer = namedInput('TimeChangesAnswer', {
  keep: z
    .enum(ZONE_CHANGE_MODES)
    .check(
      z.describe(
        '`clock_times`: they begin at the agreed times on the clock, which are other instants; `moments`: at their instants, and what clocks show then is agreed',
      ),
    ),
  ids: z
    .array(z.strictObject({ id: Id, version: z.int() }))
    .check(z.minLength(1), z.maxLength(MAX_TIME_CHANGES)),
  tell_clients: z
    ._default(z.boolean(), false)
    .check(
      z.describe(
        'Whether clients with a confirmed appointment are mailed. The mails wait until the answer can no longer be undone.',
      ),
    ),
});
export type TimeChangesAnswer = z.output<typeof TimeChangesAnswer>;
