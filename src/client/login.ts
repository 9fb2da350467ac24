import type { Message } from '#contract/common.ts';
import type { AccessToken, Login, PasswordReset } from '#contract/login.ts';
import type { Transport } from './http.ts';

/** A token for an email and its password. */
export function logIn(http: Transport, { username, password }: Login): Promise<AccessToken> {
  return http
    .post('login/access-token', { body: new URLSearchParams({ username, password }) })
    .json();
}

/** Sends a mail with a way back in, if the email has an account; the answer does not tell. */
export function recoverPassword(http: Transport, email: string): Promise<Message> {
  return http.post(`password-recovery/${encodeURIComponent(email)}`).json();
}

/** Sets a new password with the token of the mail, once. */
export function resetPassword(http: Transport, reset: PasswordReset): Promise<Message> {
  return http.post('reset-password/', { json: reset }).json();
}
