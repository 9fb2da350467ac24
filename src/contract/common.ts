import * as z from 'zod/mini';
import { toUsername, withoutAt } from '#domain/accounts/typed_username.ts';
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from '#domain/requests/list_limits.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { canonicalZone } from '#domain/time/zone_data.ts';
import { maxLength, trimmedText } from './text_fields.ts';

export {
  Email,
  MAX_NAME_LENGTH,
  MAX_PRONOUNS_LENGTH,
  optionalChoice,
  optionalText,
  requiredText,
  trimmedText,
} from './text_fields.ts';

/** An object with its name in the OpenAPI document. */
/* @__NO_SIDE_EFFECTS__ */
export function namedObject<const Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.object(shape).check(z.meta({ id }));
}

/** An object that clients send: unknown fields are refused. */
/* @__NO_SIDE_EFFECTS__ */
export function namedInput<const Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.strictObject(shape).check(z.meta({ id }));
}

/**
 * A password or token to compare with a stored one, so it is not trimmed. The longest passwords have 200
 * characters, and up to four times as many in NFD.
 */
export function requiredSecret(message: string) {
  return z.string(message).check(z.minLength(1, message), maxLength(800));
}

export const Id = z
  .guid('This is not a valid id')
  .check(z.toLowerCase(), z.meta({ description: 'A UUID' }));

export const YEARS_ERROR = 'Must lie between 2000 and 2199';

/** Whether an instant lies in the years that the API accepts, in UTC. */
export function isInYears(instant: Instant): boolean {
  const year = new Date(instant).getUTCFullYear();
  return year >= 2000 && year <= 2199;
}

const yearInRange = z.refine<string>((text) => isInYears(Date.parse(text)), YEARS_ERROR);

export const LocalDate = z.iso
  .date()
  .check(yearInRange, z.meta({ description: 'A date, YYYY-MM-DD', examples: ['2026-12-01'] }));

export const TimestampInput = z.iso
  .datetime({ offset: true })
  .check(
    yearInRange,
    z.meta({ description: 'An instant, RFC 3339', examples: ['2026-11-24T15:00:00Z'] }),
  );

/** The start or end of an appointment, as an instant. */
export const MinuteInput = TimestampInput.check(
  z.refine((text) => Date.parse(text) % MINUTE_MS === 0, 'Must be a whole minute'),
  z.describe('A whole minute, RFC 3339'),
);

const LOCAL_MINUTE = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d$/;
const isLocalMinute = (text: string) =>
  LOCAL_MINUTE.test(text) && LocalDate.safeParse(text.slice(0, 10)).success;

/** The start or end of an appointment as an artist sends it: an instant, or a time on the studio's clocks. */
export const StudioMinuteInput = z.union([
  MinuteInput,
  z.strictObject({
    local: z.string().check(
      z.refine(isLocalMinute, 'Must be a date and a time, such as 2027-01-13T10:00'),
      z.meta({
        description:
          'In the zone of the studio. A time that a change of clocks skips is a 422; one that occurs twice is its first.',
        examples: ['2027-01-13T10:00'],
      }),
    ),
  }),
]);
export type StudioMinuteInput = z.output<typeof StudioMinuteInput>;

/** The zone of a studio for browsers, whose zone data may differ (docs/decisions/0065). */
export const ZoneOffsets = z
  .array(z.object({ from: z.string(), minutes: z.int() }))
  .check(
    z.describe(
      'The UTC offsets of the studio’s zone, each from an instant (RFC 3339) to the next, that cover all instants of this answer. The time that is covered begins with the first and ends with the last, which repeats the offset before it',
    ),
  );

/** RFC 3339 in UTC. */
export const TimestampOutput = z
  .string()
  .check(z.meta({ format: 'date-time', examples: ['2026-11-24T15:00:00Z'] }));

export const LAST_MINUTE_DESCRIPTION =
  'The last minute, included: people are shown one minute later.';

export const TimeZone = z.string('Time zone is required').check(
  z.minLength(1, 'Time zone is required'),
  z.maxLength(64),
  z.refine((name) => canonicalZone(name) !== null, 'Must be an IANA time zone'),
  z.overwrite((name) => canonicalZone(name) ?? name),
  z.meta({
    description: 'An IANA time zone. It is stored by today’s name in its usual spelling.',
    examples: ['America/New_York'],
  }),
);

export const PageQuery = z.object({
  skip: z._default(
    z.coerce.number<number | string>().check(z.int(), z.minimum(0), z.maximum(1_000_000_000)),
    0,
  ),
  limit: z._default(
    z.coerce.number<number | string>().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)),
    100,
  ),
});
export type PageQuery = z.output<typeof PageQuery>;

/** An item's index in a list that the artist can reorder; the items after it move back. */
export const Position = z
  .int()
  .check(
    z.minimum(0),
    z.maximum(1_000_000),
    z.describe('Index in the list, from 0; an index beyond the end means the end'),
  );

/** An empty text finds everything. */
export const SearchText = z.optional(trimmedText(MAX_SEARCH_LENGTH));
/** Like `SearchText`, for accounts: their usernames may be typed with an `@`. */
export const AccountSearchText = z.optional(
  trimmedText(MAX_SEARCH_LENGTH).check(z.overwrite(withoutAt)),
);

/** A username in a path or a query. Any text will do, because an unknown or invalid username is a 404, not a 422. */
export const UsernameParam = trimmedText(100).check(
  z.overwrite(toUsername),
  z.meta({ description: "An artist's username, in any case of letters", examples: ['rosa_ink'] }),
);

/** One page of a list; `count` is the total of all pages. */
export function listPageOf<T extends z.core.$ZodType>(item: T) {
  return z.object({ data: z.array(item), count: z.int() });
}
export interface ListPage<T> {
  data: T[];
  count: number;
}

/** A sentence that says to a person that a request succeeded. */
export const Message = namedObject('Message', { message: z.string() });
export type Message = z.output<typeof Message>;

/** One invalid field; `loc` is its path. */
export const ValidationItem = namedObject('ValidationItem', {
  type: z.string(),
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
});
export type ValidationItem = z.output<typeof ValidationItem>;

/** The most errors that a response lists. */
export const MAX_VALIDATION_ITEMS = 20;

/** The body of a 422 response: the first invalid fields. */
export const ValidationProblem = namedObject('ValidationProblem', {
  detail: z.array(ValidationItem).check(z.maxLength(MAX_VALIDATION_ITEMS)),
  request_id: z.optional(z.string()).check(z.describe('Names the request in the server’s log')),
});
