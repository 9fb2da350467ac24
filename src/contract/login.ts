import * as z from 'zod/mini';

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
