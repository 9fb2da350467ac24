// Undoes the change of an account's email with the token that was mailed to the old one.
import { undoEmailChange } from '#contract/account_endpoints.ts';
import { callPublic } from '../api.ts';
import { showFailureToast } from '../error_text.ts';
import { endSession } from '../session.ts';
import { showSuccessToastOnNextPage } from '../toasts.ts';
import { saveRecoveryToken } from './recovery.ts';

/**
 * Gives the account its old email back, and logs out this browser too. The next page sets a new
 * password. Shows an error. @returns whether it is undone
 */
export async function undoNewEmail(token: string): Promise<boolean> {
  try {
    const { reset_token } = await callPublic(undoEmailChange, { body: { token } });
    saveRecoveryToken(reset_token);
  } catch (error) {
    showFailureToast(error, 'Not undone.');
    return false;
  }
  endSession();
  showSuccessToastOnNextPage('Undone.', 'Your old email is back. Now choose a new password.');
  return true;
}
