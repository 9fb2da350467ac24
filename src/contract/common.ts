import * as z from 'zod/mini';
import { isTimeZone, normalizeTimeZone } from '#domain/time_zone.ts';

// PostgreSQL cannot store NUL in text, so it is refused at the door.
const withoutNul = () =>
  z.refine<string>((text) => !text.includes('\u0000'), 'Must not contain NUL characters');

const maxLength = (max: number) => z.maxLength(max, `Must be at most ${max} characters`);

/** One line of text as typed, trimmed, at most `max` characters; may be empty. */
export function trimmedText(max: number, message?: string) {
  return z.string(message).check(z.trim(), withoutNul(), maxLength(max));
}

/** A line that must not be empty; `message` is what people read when it is. */
export function requiredText(max: number, message: string) {
  return z.string(message).check(z.trim(), z.minLength(1, message), withoutNul(), maxLength(max));
}

/** Optional text of a form: absent, null and blank are all null. */
export function optionalText(max: number) {
  return z.pipe(
    z.nullish(trimmedText(max)),
    z.transform((value: string | null | undefined) => value || null),
  );
}

/** An optional choice of a form: absent, null and '' are all null. */
export function optionalChoice<const T extends readonly string[]>(choices: T) {
  return z.pipe(
    z.nullish(z.union([z.enum(choices), z.literal('')])),
    z.transform((value: T[number] | '' | null | undefined): T[number] | null => value || null),
  );
}

/** An e-mail address; compared without regard to case. */
export const Email = z
  .string('Email is required')
  .check(
    z.trim(),
    z.minLength(1, 'Email is required'),
    z.maxLength(254, 'Invalid email address'),
    z.regex(z.regexes.email, 'Invalid email address'),
    z.meta({ description: 'An email address', examples: ['rosa@example.com'] }),
  );

export const Id = z.guid('Invalid UUID').check(z.toLowerCase(), z.meta({ description: 'A UUID' }));

const EARLIEST_YEAR = 2000;
const LATEST_YEAR = 2199;

function isInRange(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= EARLIEST_YEAR && year <= LATEST_YEAR;
}

/** A date as it comes in, `YYYY-MM-DD`. */
export const LocalDate = z.iso
  .date()
  .check(
    z.refine(isInRange, 'Must lie between 2000 and 2199'),
    z.meta({ description: 'A date, YYYY-MM-DD', examples: ['2026-12-01'] }),
  );

/** An instant as it comes in: RFC 3339. */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .check(
    z.refine(isInRange, 'Must lie between 2000 and 2199'),
    z.meta({ description: 'An instant, RFC 3339', examples: ['2026-11-24T15:00:00Z'] }),
  );

/** An instant that something begins or ends at: a whole minute. */
export const MinuteInput = TimestampInput.check(
  z.refine((text) => Date.parse(text) % 60_000 === 0, 'Must be a whole minute'),
  z.meta({ description: 'A whole minute, RFC 3339', examples: ['2026-11-24T15:00:00Z'] }),
);

/** An instant as it goes out: RFC 3339 in UTC. */
export const TimestampOutput = z
  .string()
  .check(z.meta({ format: 'date-time', examples: ['2026-11-24T15:00:00Z'] }));

/** Why a time is the last minute inside (contract, Appointment). */
export const LAST_MINUTE_DESCRIPTION = 'The last minute inside: people are shown one minute later.';

export const TimeZone = z
  .string('Time zone is required')
  .check(
    z.minLength(1, 'Time zone is required'),
    z.maxLength(64),
    z.refine(isTimeZone, 'Must be an IANA time zone'),
    z.overwrite(normalizeTimeZone),
    z.meta({ description: 'An IANA time zone', examples: ['America/New_York'] }),
  );

/** Query of a list. */
export const PageQuery = z.object({
  skip: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000)), 0),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 100),
});
export type PageQuery = z.output<typeof PageQuery>;

/** The place that something takes in the artist's order, the others making room. */
export const Position = z
  .int()
  .check(
    z.minimum(0),
    z.maximum(1_000_000),
    z.meta({ description: 'Place in the list, from 0; beyond the end is the end' }),
  );

/** What to look for in a list; blank finds everything. */
export const SearchText = z.optional(trimmedText(200));

/** The name that an artist's page goes by, as it is asked for: it need not have one. */
export const UsernameParam = trimmedText(100).check(
  z.meta({ description: "An artist's username, in any case of letters", examples: ['rosa_ink'] }),
);

/** A page of a list; `count` is the total. */
export function listPageOf<T extends z.core.$ZodType>(item: T) {
  return z.object({ data: z.array(item), count: z.int() });
}
export interface ListPage<T> {
  data: T[];
  count: number;
}

/** What was done, for a person. */
export const Message = z.object({ message: z.string() }).check(z.meta({ id: 'Message' }));
export type Message = z.output<typeof Message>;

/** Every error but 422. */
export const Problem = z
  .object({ detail: z.string().check(z.meta({ description: 'Text for a person' })) })
  .check(z.meta({ id: 'Problem' }));

/** One thing wrong with what was sent; `loc` says where. */
export const ValidationItem = z
  .object({ type: z.string(), loc: z.array(z.union([z.string(), z.int()])), msg: z.string() })
  .check(z.meta({ id: 'ValidationItem' }));
export type ValidationItem = z.output<typeof ValidationItem>;

/** 422: all that is wrong with what was sent. */
export const ValidationProblem = z
  .object({ detail: z.array(ValidationItem) })
  .check(z.meta({ id: 'ValidationProblem' }));
