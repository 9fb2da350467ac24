/** The fields of forms, apart from `common.ts`: the script of the booking form needs only these. */
import * as z from 'zod/mini';
import { emailError, MAX_EMAIL_LENGTH, toEmail } from '#domain/mail/email.ts';

// PostgreSQL cannot store NUL in text.
const withoutNul = () =>
  z.refine<string>((text) => !text.includes('\u0000'), 'Must not contain NUL characters');

/** A limit of length. A longer text gets no further checks: some take time that grows with the square of it. */
export function maxLength(max: number, error = `Must be at most ${max} characters`) {
  return z.maxLength(max, { error, abort: true });
}

/** The longest text that may contain an email, such as `Name <a@b>`. */
const MAX_TYPED_EMAIL_LENGTH = 1000;

/** Trimmed text of at most `max` characters, in one form of Unicode (NFC); may be empty. */
export function trimmedText(max: number, message?: string) {
  return z.string(message).check(z.normalize(), z.trim(), withoutNul(), maxLength(max));
}

/** A trimmed text that must not be empty. @param message shown when it is missing or empty */
export function requiredText(max: number, message: string) {
  return trimmedText(max, message).check(z.minLength(1, message));
}

/** The longest name of a person, studio, service or design, and the longest line of an address. */
export const MAX_NAME_LENGTH = 80;
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

/** An email as it is typed or pasted (`toEmail`). @param message shown when it is missing or empty */
export function emailText(message: string) {
  return z.string(message).check(
    maxLength(MAX_TYPED_EMAIL_LENGTH, 'Invalid email address'),
    z.trim(),
    z.minLength(1, message),
    ({ value, issues }) => {
      const error = emailError(value);
      if (error !== null) issues.push({ code: 'custom', input: value, message: error });
    },
    z.overwrite(toEmail),
    z.meta({
      maxLength: MAX_EMAIL_LENGTH,
      description: 'An email address. A domain in Unicode is stored as punycode.',
      examples: ['rosa@example.com'],
    }),
  );
}

/** The API compares email addresses without regard to case. */
export const Email = emailText('Email is required');
