/** Checks for the sign-up form while somebody fills it in. The sign-up itself checks again. */
import {
  COMMON_PASSWORD_TEXT,
  type PasswordCheck,
  USERNAME_TAKEN_TEXT,
  Username,
  type UsernameCheck,
} from '#contract/account_form.ts';
import { isProductUsername, RESERVED_USERNAME_TEXT } from '#domain/accounts/username.ts';
import { isUsernameTaken } from '#server/database/former_usernames.ts';
import type { Context } from '../context.ts';
import { isCommonPassword } from './common_passwords.ts';

/** Whether a username can be had; `why` is the sentence that a sign-up would refuse it with. */
export async function checkUsername(context: Context, typed: string): Promise<UsernameCheck> {
  const why = await findUsernameProblem(context, typed);
  return { is_free: why === null, why };
}

async function findUsernameProblem(
  { database, site }: Context,
  typed: string,
): Promise<string | null> {
  const { data: username, error } = Username.safeParse(typed);
  if (username === undefined) return error?.issues[0]?.message ?? RESERVED_USERNAME_TEXT;
  if (isProductUsername(username, site.productName)) return RESERVED_USERNAME_TEXT;
  return (await isUsernameTaken(database, username)) ? USERNAME_TAKEN_TEXT : null;
}

/** Why a password is refused, apart from its likeness to the email or the username. */
export async function checkPassword(password: string): Promise<PasswordCheck> {
  return { why: (await isCommonPassword(password)) ? COMMON_PASSWORD_TEXT : null };
}
