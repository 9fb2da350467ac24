import type { Message } from '#contract/common.ts';
import type { AccessToken, Login, PasswordReset } from '#contract/login.ts';
import type { Transport } from './http.ts';

/** `username` is the artist's email address. */
export function logIn(http: Transport, { username, password }: Login) {
  const body = new URLSearchParams({ username, password });
  return http.post('login/access-token', { body }).json<AccessToken>();
}

/** Mails a link to reset the password. The response is the same when no account has this email. */
export function recoverPassword(http: Transport, email: string) {
  return http.post(`password-recovery/${encodeURIComponent(email)}`).json<Message>();
}

/** Sets a new password. The token comes from the recovery mail and works once. */
export function resetPassword(http: Transport, json: PasswordReset) {
  return http.post('reset-password/', { json }).json<Message>();
}
