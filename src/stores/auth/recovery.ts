import { ApiError } from '#client/http.ts';
import { recoverPassword, resetPassword } from '#client/login.ts';
import { api } from '../connection.ts';
import { reasonOf } from '../reason.ts';
import { tellError, tellSuccess, tellSuccessOnNextPage } from '../toasts.ts';

const TOKEN = 'linework:recovery';

/** Asks for a mail with a way back in; the artist is told how it went. */
export async function askForLink(email: string): Promise<boolean> {
  try {
    await recoverPassword(api(), email);
  } catch (error) {
    tellError('Error', reasonOf(error));
    return false;
  }
  tellSuccess('Email sent.', 'We sent an email with a link to get back into your account.');
  return true;
}

/**
 * The token of the link that was followed, '' when there is none. It leaves the address at once, so
 * that nobody reads it there, and outlives a reload in this tab alone.
 */
export function takeToken(): string {
  const address = new URL(location.href);
  const token = address.searchParams.get('token') ?? '';
  if (address.searchParams.has('token')) {
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address);
  }
  try {
    if (token !== '') sessionStorage.setItem(TOKEN, token);
    return sessionStorage.getItem(TOKEN) ?? token;
  } catch {
    return token;
  }
}

/** How setting a new password went: `unusable` says why the link itself is no good any more. */
export type Reset =
  | { readonly kind: 'done' }
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Sets a new password. What went wrong is told, good news on the next page. */
export async function setNewPassword(new_password: string, token: string): Promise<Reset> {
  try {
    await resetPassword(api(), { new_password, token });
  } catch (error) {
    const why = reasonOf(error);
    tellError('Error', why);
    const isUnusable = error instanceof ApiError && error.status === 400;
    if (isUnusable) forgetToken();
    return isUnusable ? { kind: 'unusable', why } : { kind: 'failed', error };
  }
  forgetToken();
  tellSuccessOnNextPage('Success!', 'Password updated successfully.');
  return { kind: 'done' };
}

function forgetToken(): void {
  try {
    sessionStorage.removeItem(TOKEN);
  } catch {
    // Storage is forbidden: it was never kept.
  }
}
