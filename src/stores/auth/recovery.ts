// Password recovery: requests a mail with a link, and sets a new password with the link's token.
import { ApiError } from '#client/call.ts';
import { recoverPassword, resetPassword } from '#contract/account_endpoints.ts';
import { callPublic } from '../api.ts';
import { getSessionItem, setSessionItem } from '../browser_storage.ts';
import { errorText } from '../error_text.ts';
import { deviceHeader, saveDeviceToken } from '../session.ts';
import { showErrorToast, showSuccessToast, showSuccessToastOnNextPage } from '../toasts.ts';
import { takeLinkToken } from './email_proof.ts';

const TOKEN_KEY = 'linework:recovery';

/** Requests the mail, and shows success or the error. @returns whether the request succeeded */
export async function requestRecoveryLink(email: string): Promise<boolean> {
  try {
    await callPublic(recoverPassword, { header: deviceHeader(), path: { email } });
  } catch (error) {
    showErrorToast('Error', errorText(error));
    return false;
  }
  showSuccessToast('Email sent.', 'We sent an email with a link to get back into your account.');
  return true;
}

/**
 * Moves the token of the mail's link from the URL to the session storage. So the address bar does
 * not show it, and a reload still finds it.
 * @returns the token of the URL, else the stored one; '' when there is none
 */
export function takeRecoveryToken(): string {
  const token = takeLinkToken();
  if (token === '') return getSessionItem(TOKEN_KEY) ?? '';
  setSessionItem(TOKEN_KEY, token);
  return token;
}

/** Stores the token for the page that sets a new password. */
export function saveRecoveryToken(token: string): void {
  setSessionItem(TOKEN_KEY, token);
}

/** `unusable`: the link no longer works; `failed`: another attempt may succeed. */
type ResetResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Sets a new password. Shows an error on this page, and success on the next page. */
export async function setNewPassword(new_password: string, token: string): Promise<ResetResult> {
  try {
    const { device_token } = await callPublic(resetPassword, {
      header: deviceHeader(),
      body: { new_password, token },
    });
    saveDeviceToken(device_token);
  } catch (error) {
    const reason = errorText(error);
    showErrorToast('Error', reason);
    // The API answers 400 for a token that is invalid or expired.
    if (!(error instanceof ApiError) || error.status !== 400) return { kind: 'failed', error };
    setSessionItem(TOKEN_KEY, null);
    return { kind: 'unusable', reason };
  }
  setSessionItem(TOKEN_KEY, null);
  showSuccessToastOnNextPage('Success!', 'Password updated successfully.');
  return { kind: 'done' };
}
