import * as z from 'zod/mini';
import { SECURITY_EVENT_KINDS } from '#domain/accounts/security.ts';
import { Id, listPageOf, namedObject, TimestampOutput } from './common.ts';

const browserFields = {
  browser: z
    .nullable(z.string())
    .check(z.meta({ description: 'null if unknown', examples: ['Chrome on Android'] })),
  time_zone: z
    .nullable(z.string())
    .check(z.describe('The IANA zone that the browser sent at its login')),
};

/** A browser, or another program, that is logged in. */
export const Session = namedObject('Session', {
  id: Id,
  ...browserFields,
  created_at: TimestampOutput,
  last_used_at: TimestampOutput.check(z.describe('Exact to ten minutes')),
  is_current: z.boolean().check(z.describe('Whether it is the session of this call')),
});
export type Session = z.output<typeof Session>;

/** Something that happened to the safety of an account. */
export const SecurityEvent = namedObject('SecurityEvent', {
  kind: z.enum(SECURITY_EVENT_KINDS),
  ...browserFields,
  happened_at: TimestampOutput,
});
export type SecurityEvent = z.output<typeof SecurityEvent>;

/** How often each event happened, in all accounts. */
export const SecurityEventCounts = listPageOf(
  z.object({
    kind: z.enum(SECURITY_EVENT_KINDS),
    last_day: z.int(),
    last_seven_days: z.int(),
  }),
);
export type SecurityEventCounts = z.output<typeof SecurityEventCounts>;
