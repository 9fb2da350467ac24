import * as z from 'zod/mini';
import { Password } from './artist.ts';
import { Email } from './common.ts';

/** The login form; the username is the artist's email address. */
export const Login = z.object({
  username: z
    .string('Username is required')
    .check(
      z.trim(),
      z.minLength(1, 'Username is required'),
      z.regex(z.regexes.email, 'Invalid email address'),
    ),
  password: z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(200)),
});
export type Login = z.output<typeof Login>;

export const AccessToken = z
  .object({ access_token: z.string(), token_type: z.literal('bearer') })
  .check(z.meta({ id: 'AccessToken' }));
export type AccessToken = z.output<typeof AccessToken>;

/** The form of whoever forgot their password. */
export const RecoveryForm = z.object({ email: Email });

/** A new password for whoever holds the token of a recovery mail. */
export const PasswordReset = z
  .strictObject({
    new_password: Password,
    token: z
      .string('Token is required')
      .check(z.minLength(1, 'Token is required'), z.maxLength(200)),
  })
  .check(z.meta({ id: 'PasswordReset' }));
export type PasswordReset = z.output<typeof PasswordReset>;
