import { ApiError } from '#client/call.ts';
import { logIn } from '#contract/account_endpoints.ts';
import type { Login } from '#contract/login.ts';
import { callPublic } from '../api.ts';
import { getSessionItem, setSessionItem } from '../browser_storage.ts';
import { errorText } from '../error_text.ts';
import { deviceHeader, saveDeviceToken, startSession } from '../session.ts';

const EMAIL_KEY = 'linework:email';

/** Logs in, also in other browser tabs. @returns the text of the error; null after a success */
export async function submitLogin(login: Login): Promise<string | null> {
  try {
    const { access_token, device_token } = await callPublic(logIn, {
      header: deviceHeader(),
      body: login,
    });
    saveDeviceToken(device_token);
    startSession(access_token);
    return null;
  } catch (error) {
    // If `detail` lists invalid fields, the specification, section 8, demands a general text.
    const isValidationError = error instanceof ApiError && typeof error.detail !== 'string';
    return isValidationError ? 'Something went wrong' : errorText(error);
  }
}

/** Saves an email for the login form, which is on the next page. */
export function saveLoginEmail(email: string): void {
  setSessionItem(EMAIL_KEY, email);
}

/** Returns and removes the email that the previous page saved; '' when there is none. */
export function takeLoginEmail(): string {
  const email = getSessionItem(EMAIL_KEY) ?? '';
  setSessionItem(EMAIL_KEY, null);
  return email;
}
