import * as z from 'zod/mini';
import { canonicalZone } from '#domain/time/zone_data.ts';
import { Password } from './account_form.ts';
import { Email, namedInput, namedObject, requiredSecret } from './common.ts';
import { emailText } from './text_fields.ts';

/** The login form; the username is the artist's email address. */
export const Login = z.object({
  username: emailText('Username is required'),
  password: requiredSecret('Password is required'),
});
export type Login = z.output<typeof Login>;

export const AccessToken = namedObject('AccessToken', {
  access_token: z.string(),
  token_type: z.literal('bearer'),
});
export type AccessToken = z.output<typeof AccessToken>;

/** `device_token` lets the browser log in again while a stranger guesses the password. */
export const LoginAnswer = namedObject('LoginAnswer', {
  ...AccessToken.shape,
  device_token: z.string(),
});
export type LoginAnswer = z.output<typeof LoginAnswer>;

/** Headers about the browser of a login. An invalid token or an unknown zone counts as none. */
export const DeviceHeader = z.object({
  'device-token': z.optional(
    z.string().check(z.describe('The `device_token` of an earlier login in the same browser')),
  ),
  'time-zone': z.optional(
    z.pipe(
      z.string().check(z.describe('The IANA zone of the browser, shown in the list of sessions')),
      z.transform((zone) => canonicalZone(zone) ?? undefined),
    ),
  ),
});

/** `token` comes from the link in the mail to an artist's email. */
export const EmailProof = namedInput('EmailProof', { token: requiredSecret('Token is required') });

/** `token` comes from the link in the mail to the email that an account had. */
export const EmailUndo = namedInput('EmailUndo', { token: requiredSecret('Token is required') });

/** The account has its old email again. `reset_token` sets a new password: see `PasswordReset`. */
export const EmailChangeUndone = namedObject('EmailChangeUndone', {
  message: z.string(),
  reset_token: z.string(),
});
export type EmailChangeUndone = z.output<typeof EmailChangeUndone>;

export const RecoveryForm = z.object({ email: Email });

/** `token` comes from the link in the password recovery mail. */
export const PasswordReset = namedInput('PasswordReset', {
  new_password: Password,
  token: requiredSecret('Token is required'),
});
export type PasswordReset = z.output<typeof PasswordReset>;

/** The browser of the link counts as one that has logged in: see `LoginAnswer`. */
export const PasswordResetAnswer = namedObject('PasswordResetAnswer', {
  message: z.string(),
  device_token: z.string(),
});
export type PasswordResetAnswer = z.output<typeof PasswordResetAnswer>;
