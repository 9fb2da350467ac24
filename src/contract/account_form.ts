/** The fields of an account, apart from `artist.ts`: the forms of the sign-up and of a new password need only these. */
import * as z from 'zod/mini';
import { isAccountName, isSamePassword } from '#domain/accounts/password.ts';
import { toUsername } from '#domain/accounts/typed_username.ts';
import {
  isReservedUsername,
  RESERVED_USERNAME_TEXT,
  USERNAME_PATTERN,
} from '#domain/accounts/username.ts';
import { toPlainText } from '#domain/text/typed_text.ts';
import { Email, namedObject, requiredSecret, TimeZone } from './common.ts';
import { nameText, optionalName } from './names.ts';
import { maxLength } from './text_fields.ts';

export const Username = z.string('Username is required').check(
  // As typed: the next checks may shorten it.
  maxLength(200, 'Must be at most 30 characters'),
  z.overwrite(toPlainText),
  z.overwrite(toUsername),
  z.minLength(1, 'Username is required'),
  z.minLength(3, 'Must be at least 3 characters'),
  maxLength(30),
  z.regex(
    USERNAME_PATTERN,
    'Use letters, digits, dots, dashes and underscores, with a letter or digit at both ends, and no file ending such as .txt',
  ),
  z.refine((username) => !isReservedUsername(username), RESERVED_USERNAME_TEXT),
  z.meta({ examples: ['rosa_ink'] }),
);

export const USERNAME_TAKEN_TEXT = 'This username is already taken';

const Why = z
  .nullable(z.string())
  .check(z.describe('The sentence for the person who typed it; null if there is nothing to say'));

/** Whether a username can be had. */
export const UsernameCheck = namedObject('UsernameCheck', { is_free: z.boolean(), why: Why });
export type UsernameCheck = z.output<typeof UsernameCheck>;

export const Password = z.string('Password is required').check(
  z.minLength(1, 'Password is required'),
  z.minLength(8, 'Password must be at least 8 characters'),
  z.maxLength(200, 'Password must be at most 200 characters'),
  // Spaces alone are no password.
  z.refine((password) => password.trim() !== '', 'Password is required'),
);

export const PasswordToCheck = z.strictObject({ password: Password });

/** Whether a password is not among the most common ones: then `why` is null. */
export const PasswordCheck = namedObject('PasswordCheck', { why: Why });
export type PasswordCheck = z.output<typeof PasswordCheck>;

/** The refusals of passwords that somebody who guesses would try first. */
export const COMMON_PASSWORD_TEXT = 'This password is too common';
export const ACCOUNT_NAME_PASSWORD_TEXT = 'Do not use your email or username as the password';

const PasswordConfirmation = requiredSecret('Password confirmation is required');

export const FullName = nameText('Full Name is required');

/** The fields of a studio's address, beside its name. */
export const studioFields = {
  address_one: nameText('Address is required'),
  address_two: optionalName(),
  city: nameText('City is required'),
  state: nameText('State is required'),
  zip_code: nameText('Zip code is required', 20),
  time_zone: TimeZone,
};
export const StudioName = nameText('Studio name is required');

export const accountFields = { email: Email, full_name: FullName, username: Username };
const PASSWORDS_MATCH = { path: ['confirm_password'], error: 'The passwords do not match' };
/** By default, zod skips this check while other fields are invalid; a form shows all errors. */
const PASSWORDS_MATCH_IN_FORM = { ...PASSWORDS_MATCH, when: () => true };

/** The first step of the sign-up form. */
export const SignupAccount = z
  .object({ ...accountFields, password: Password, confirm_password: PasswordConfirmation })
  .check(
    z.refine(
      (form) => isSamePassword(form.password, form.confirm_password),
      PASSWORDS_MATCH_IN_FORM,
    ),
    z.refine(({ password, ...account }) => !isAccountName(password, account), {
      path: ['password'],
      error: ACCOUNT_NAME_PASSWORD_TEXT,
    }),
  );

/** The second step of the sign-up form. */
export const SignupStudio = z.object({ studio_name: StudioName, ...studioFields });

export const Signup = z.strictObject({ ...SignupAccount.shape, ...SignupStudio.shape }).check(
  z.refine((signup) => isSamePassword(signup.password, signup.confirm_password), PASSWORDS_MATCH),
  z.meta({ id: 'Signup' }),
);
export type Signup = z.output<typeof Signup>;
export type SignupInput = z.input<typeof Signup>;

/** The form of a new password; the API takes it without the confirmation. */
export const NewPasswordForm = z
  .object({ new_password: Password, confirm_password: PasswordConfirmation })
  .check(
    z.refine(
      (form) => isSamePassword(form.new_password, form.confirm_password),
      PASSWORDS_MATCH_IN_FORM,
    ),
  );
