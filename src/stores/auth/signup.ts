// The sign-up form. Its two steps (first the account, then the studio) are sent in one request.
import { ApiError, formatError } from '#client/call.ts';
import { signUp } from '#contract/account_endpoints.ts';
import type { SignupInput } from '#contract/account_form.ts';
import { callPublic } from '../api.ts';
import { errorText } from '../error_text.ts';
import { closeErrorToasts, showErrorToast, showSuccessToastOnNextPage } from '../toasts.ts';
import { saveLoginEmail } from './login.ts';

/** Signs up; shows the error, or success on the next page. @returns the error; null if none */
export async function submitSignup(signup: SignupInput): Promise<unknown> {
  closeErrorToasts();
  try {
    const { email } = await callPublic(signUp, { body: signup });
    saveLoginEmail(email);
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
    return error;
  }
  showSuccessToastOnNextPage('Account created.', 'Your account has been created successfully.');
  return null;
}

/** @returns whether the error is about a field of the form's first step, whose values these are */
export function isAccountError(error: unknown, account: object): boolean {
  if (toTakenField(error) !== null) return true;
  if (!(error instanceof ApiError) || typeof error.detail === 'string') return false;
  // `loc` is for example `['body', 'email']`.
  return error.detail.some(({ loc }) => String(loc[1]) in account);
}

/** Finds the field whose value another account has taken, with a message; null for other errors. */
export function toTakenField(
  error: unknown,
): { field: 'username' | 'email'; message: string } | null {
  const reason = error instanceof ApiError ? error.reason : undefined;
  if (reason !== 'username_taken' && reason !== 'email_taken') return null;
  return { field: reason === 'username_taken' ? 'username' : 'email', message: formatError(error) };
}
