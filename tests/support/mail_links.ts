import type { Email } from 'postal-mime';

/** The token of the link to a page in a mail, such as `reset-password`; '' without one. */
export function linkToken(mail: Email | undefined, page: string): string {
  const [, token = ''] = new RegExp(`/${page}\\?token=(\\S+)`).exec(mail?.text ?? '') ?? [];
  return decodeURIComponent(token);
}
