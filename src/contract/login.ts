import * as z from 'zod/mini';
import { Password } from './artist.ts';
import { Email, namedObject, requiredSecret } from './common.ts';

/** The login form; the username is the artist's email address. */
export const Login = z.object({
  username: z
    .string('Username is required')
    .check(
      z.trim(),
      z.minLength(1, 'Username is required'),
      z.regex(z.regexes.email, 'Invalid email address'),
    ),
  password: requiredSecret('Password is required'),
});
export type Login = z.output<typeof Login>;

export const AccessToken = namedObject('AccessToken', {
  access_token: z.string(),
  token_type: z.literal('bearer'),
});
export type AccessToken = z.output<typeof AccessToken>;

/** Asks for a mail with a link to reset a forgotten password. */
export const RecoveryForm = z.object({ email: Email });

/** `token` comes from the link in the password recovery mail. */
export const PasswordReset = z
  .strictObject({ new_password: Password, token: requiredSecret('Token is required') })
  .check(z.meta({ id: 'PasswordReset' }));
export type PasswordReset = z.output<typeof PasswordReset>;
