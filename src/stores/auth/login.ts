import { ApiError } from '#client/http.ts';
import { logIn } from '#client/login.ts';
import type { Login } from '#contract/login.ts';
import { publicApi } from '../api.ts';
import { errorText } from '../error_text.ts';
import { startSession } from '../session.ts';

const EMAIL_KEY = 'linework:email';

/**
 * Logs in, here and in every other tab.
 * @returns what to tell when it does not work (specification, section 8), else null
 */
export async function submitLogin(login: Login): Promise<string | null> {
  try {
    const { access_token } = await logIn(publicApi(), login);
    startSession(access_token);
    return null;
  } catch (error) {
    const isList = error instanceof ApiError && typeof error.detail !== 'string';
    return isList ? 'Something went wrong' : errorText(error);
  }
}

/** Carries an email over to the login, where it is filled in. */
export function saveLoginEmail(email: string): void {
  try {
    sessionStorage.setItem(EMAIL_KEY, email);
  } catch {
    // Storage is forbidden: it is typed again.
  }
}

/** The email that the page before carried over, once; else ''. */
export function takeLoginEmail(): string {
  try {
    const email = sessionStorage.getItem(EMAIL_KEY) ?? '';
    sessionStorage.removeItem(EMAIL_KEY);
    return email;
  } catch {
    return '';
  }
}
