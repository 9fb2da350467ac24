import { signUp } from '#client/artists.ts';
import { ApiError } from '#client/http.ts';
import { SignupAccount } from '#contract/artist.ts';
import { publicApi } from '../api.ts';
import { errorText } from '../error_text.ts';
import { showErrorToast, showSuccessToastOnNextPage } from '../toasts.ts';
import { saveLoginEmail } from './login.ts';

/** What somebody else has already. */
export interface TakenField {
  readonly field: 'username' | 'email';
  readonly message: string;
}

/**
 * Makes an account. The artist is told how it went: at once, or on the next page if it worked.
 * @returns the failure, null when it worked
 */
export async function submitSignup(signup: Parameters<typeof signUp>[1]): Promise<unknown> {
  try {
    await signUp(publicApi(), signup);
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
    return error;
  }
  showSuccessToastOnNextPage('Account created.', 'Your account has been created successfully.');
  saveLoginEmail(signup.email.trim());
  return null;
}

/** Whether something of the first step has to be other than it is. */
export function isAccountError(failure: unknown): boolean {
  if (toTakenField(failure) !== null) return true;
  if (!(failure instanceof ApiError) || typeof failure.detail === 'string') return false;
  return failure.detail.some(({ loc }) => String(loc[1]) in SignupAccount.shape);
}

/** What has to be another one, if that is why signing up failed. */
export function toTakenField(failure: unknown): TakenField | null {
  if (!(failure instanceof ApiError) || failure.status !== 409) return null;
  if (typeof failure.detail !== 'string') return null;
  const field = /username/i.test(failure.detail) ? 'username' : 'email';
  return { field, message: failure.detail };
}
