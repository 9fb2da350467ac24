// Password recovery: requests a mail with a link, and sets a new password with the link's token. Undoing a change
// of the email also ends with a new password.
import { ApiError } from '#client/call.ts';
import { recoverPassword, resetPassword, undoEmailChange } from '#contract/account_endpoints.ts';
import { callPublic } from '../api.ts';
import { sessionItems } from '../browser_storage.ts';
import { errorText, showFailureToast } from '../error_text.ts';
import { deviceHeader, endSession, saveDeviceToken } from '../session.ts';
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
  if (token === '') return sessionItems.getText(TOKEN_KEY) ?? '';
  sessionItems.setText(TOKEN_KEY, token);
  return token;
}

/**
 * Gives the account its old email back, with the token that was mailed there, and logs out this browser too.
 * The next page sets a new password. Shows an error. @returns whether it is undone
 */
export async function undoNewEmail(token: string): Promise<boolean> {
  try {
    const { reset_token } = await callPublic(undoEmailChange, { body: { token } });
    sessionItems.setText(TOKEN_KEY, reset_token);
  } catch (error) {
    showFailureToast(error, 'Not undone.');
    return false;
  }
  endSession();
  showSuccessToastOnNextPage('Undone.', 'Your old email is back. Now choose a new password.');
  return true;
}

/** `unusable`: the link no longer works; `failed`: another attempt may succeed. */
type ResetResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Sets a new password with the link's token. Shows an error on this page, and success on the next page. */
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
    sessionItems.setText(TOKEN_KEY, null);
    return { kind: 'unusable', reason };
  }
  sessionItems.setText(TOKEN_KEY, null);
  showSuccessToastOnNextPage('Success!', 'Password updated successfully.');
  return { kind: 'done' };
}
