// Confirms an artist's email with the token of the mailed link.
import { proveEmail } from '#contract/account_endpoints.ts';
import { callPublic } from '../api.ts';
import { showFailureToast } from '../error_text.ts';

/** Removes the token of a mail's link from the address bar, and returns it; '' without one. */
export function takeLinkToken(): string {
  const url = new URL(location.href);
  const token = url.searchParams.get('token') ?? '';
  if (!url.searchParams.has('token')) return '';
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
  return token;
}

/** Confirms the email. Shows an error. @returns whether the email is confirmed */
export async function confirmEmail(token: string): Promise<boolean> {
  try {
    await callPublic(proveEmail, { body: { token } });
    return true;
  } catch (error) {
    showFailureToast(error, 'Not confirmed.');
    return false;
  }
}
