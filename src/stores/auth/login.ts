import { ApiError } from '#client/call.ts';
import type { Login } from '#contract/login.ts';
import { logIn } from '#contract/login_endpoints.ts';
import { callPublic } from '../api.ts';
import { sessionItems } from '../browser_storage.ts';
import { errorText } from '../error_text.ts';
import { logInBy } from '../session.ts';

const EMAIL_KEY = 'linework:email';

/** Logs in with a password, as `logInBy` does. */
export function submitLogin(body: Login): Promise<string | null> {
  return logInBy((header) => callPublic(logIn, { header, body }), loginErrorText);
}

/** The text of the API's error, or a general one if the error is a list of invalid fields. */
function loginErrorText(error: unknown): string {
  const isValidationError = error instanceof ApiError && typeof error.detail !== 'string';
  return isValidationError ? 'Something went wrong' : errorText(error);
}

/** Saves an email for the login form, which is on the next page. */
export function saveLoginEmail(email: string): void {
  sessionItems.setText(EMAIL_KEY, email);
}

/** Returns and removes the email that the previous page saved; '' when there is none. */
export function takeLoginEmail(): string {
  const email = sessionItems.getText(EMAIL_KEY) ?? '';
  sessionItems.setText(EMAIL_KEY, null);
  return email;
}
