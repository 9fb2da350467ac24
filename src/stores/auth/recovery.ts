import { ApiError } from '#client/http.ts';
import { recoverPassword, resetPassword } from '#client/login.ts';
import { publicApi } from '../api.ts';
import { errorText } from '../error_text.ts';
import { showErrorToast, showSuccessToast, showSuccessToastOnNextPage } from '../toasts.ts';

const TOKEN_KEY = 'linework:recovery';

/** Asks for a mail with a way back in; the artist is told how it went. */
export async function requestRecoveryLink(email: string): Promise<boolean> {
  try {
    await recoverPassword(publicApi(), email);
  } catch (error) {
    showErrorToast('Error', errorText(error));
    return false;
  }
  showSuccessToast('Email sent.', 'We sent an email with a link to get back into your account.');
  return true;
}

/**
 * The token of the link that was followed, '' when there is none. It leaves the address at once, so
 * that nobody reads it there, and outlives a reload in this tab alone.
 */
export function takeRecoveryToken(): string {
  const address = new URL(location.href);
  const token = address.searchParams.get('token') ?? '';
  if (address.searchParams.has('token')) {
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address);
  }
  try {
    if (token !== '') sessionStorage.setItem(TOKEN_KEY, token);
    return sessionStorage.getItem(TOKEN_KEY) ?? token;
  } catch {
    return token;
  }
}

/** How setting a new password went: `unusable` says why the link itself is no good any more. */
export type ResetResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Sets a new password. What went wrong is told, good news on the next page. */
export async function setNewPassword(new_password: string, token: string): Promise<ResetResult> {
  try {
    await resetPassword(publicApi(), { new_password, token });
  } catch (error) {
    const why = errorText(error);
    showErrorToast('Error', why);
    const isUnusable = error instanceof ApiError && error.status === 400;
    if (isUnusable) clearRecoveryToken();
    return isUnusable ? { kind: 'unusable', reason: why } : { kind: 'failed', error };
  }
  clearRecoveryToken();
  showSuccessToastOnNextPage('Success!', 'Password updated successfully.');
  return { kind: 'done' };
}

function clearRecoveryToken(): void {
  try {
    sessionStorage.removeItem(TOKEN_KEY);
  } catch {
    // Storage is forbidden: it was never kept.
  }
}
