/** Providers that deliver mail to an address with and without dots to one mailbox. */
const IGNORES_DOTS = new Set(['gmail.com']);
const SAME_PROVIDER: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' };

/**
 * The normal form of an email address, for limits: spellings that arrive in one mailbox are equal.
 * Letters are lowered, the tag after `+` is dropped, and dots where the provider ignores them.
 */
export function toMailbox(email: string): string {
  const lowered = email.trim().toLowerCase();
  const at = lowered.lastIndexOf('@');
  const provider = lowered.slice(at + 1);
  const domain = SAME_PROVIDER[provider] ?? provider;
  // A tag cannot be the whole name: `+a@example.com` is a mailbox of its own.
  const name = lowered.slice(0, at).replace(/(?<=.)\+.*$/, '');
  return `${IGNORES_DOTS.has(domain) ? name.replaceAll('.', '') : name}@${domain}`;
}
