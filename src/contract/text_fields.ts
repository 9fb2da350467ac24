/** The fields of forms, apart from `common.ts`: the script of the booking form needs only these. */
import * as z from 'zod/mini';

// PostgreSQL cannot store NUL in text.
const withoutNul = () =>
  z.refine<string>((text) => !text.includes('\u0000'), 'Must not contain NUL characters');

const maxLength = (max: number) => z.maxLength(max, `Must be at most ${max} characters`);

/** Trimmed text of at most `max` characters; may be empty. */
export function trimmedText(max: number, message?: string) {
  return z.string(message).check(z.trim(), withoutNul(), maxLength(max));
}

/** `message` is shown when the text is missing or empty. */
export function requiredText(max: number, message: string) {
  return z.string(message).check(z.trim(), z.minLength(1, message), withoutNul(), maxLength(max));
}

/** The longest name of a person, a studio, a service or a design, or line of an address. */
export const MAX_NAME_LENGTH = 80;
/** The longest pronouns of a client. */
export const MAX_PRONOUNS_LENGTH = 50;

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

/** The API compares email addresses without regard to case. */
export const Email = z
  .string('Email is required')
  .check(
    z.trim(),
    z.minLength(1, 'Email is required'),
    z.maxLength(254, 'Invalid email address'),
    z.regex(z.regexes.email, 'Invalid email address'),
    z.meta({ description: 'An email address', examples: ['rosa@example.com'] }),
  );
