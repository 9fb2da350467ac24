import { ApiError } from '#client/http.ts';
import { logIn } from '#client/login.ts';
import type { Login } from '#contract/login.ts';
import { api } from '../connection.ts';
import { reasonOf } from '../reason.ts';
import { signIn } from '../session.ts';

const EMAIL = 'linework:email';

/**
 * Logs in, here and in every other tab.
 * @returns what to tell when it does not work (specification, section 8), else null
 */
export async function logInWith(login: Login): Promise<string | null> {
  try {
    const { access_token } = await logIn(api(), login);
    signIn(access_token);
    return null;
  } catch (error) {
    const isList = error instanceof ApiError && typeof error.detail !== 'string';
    return isList ? 'Something went wrong' : reasonOf(error);
  }
}

/** Carries an email over to the login, where it is filled in. */
export function carryEmail(email: string): void {
  try {
    sessionStorage.setItem(EMAIL, email);
  } catch {
    // Storage is forbidden: it is typed again.
  }
}

/** The email that the page before carried over, once; else ''. */
export function takeEmail(): string {
  try {
    const email = sessionStorage.getItem(EMAIL) ?? '';
    sessionStorage.removeItem(EMAIL);
    return email;
  } catch {
    return '';
  }
}
