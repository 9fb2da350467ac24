const GMAIL = { domain: 'gmail.com', ignored: /\./g };
const PROTON = { domain: 'proton.me', ignored: /[._-]/g };
const ICLOUD = { domain: 'icloud.com', ignored: /(?!)/g };

/** Providers that deliver several domains, or several spellings before the @, to one mailbox. */
const PROVIDERS: ReadonlyMap<string, { readonly domain: string; readonly ignored: RegExp }> =
  new Map([
    ['gmail.com', GMAIL],
    ['googlemail.com', GMAIL],
    ['proton.me', PROTON],
    ['protonmail.com', PROTON],
    ['pm.me', PROTON],
    ['icloud.com', ICLOUD],
    ['me.com', ICLOUD],
    ['mac.com', ICLOUD],
  ]);

/**
 * The same text for all spellings of an email address that reach one mailbox: `Ro.sa+ink@gmail.com`
 * and `rosa@googlemail.com` are one. Only for counts and comparisons, never to send a mail to.
 */
export function toMailbox(email: string): string {
  const typed = email.trim().toLowerCase();
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  const name = typed.slice(0, at).replace(/(?<=.)\+.*/, '');
  const provider = PROVIDERS.get(domain);
  if (!provider) return `${name}@${domain}`;
  return `${name.replace(provider.ignored, '') || name}@${provider.domain}`;
}

/** The first letter of an email and its domain, such as `r…@example.com`. */
export function toEmailHint(email: string): string {
  const [first = ''] = email;
  return `${first}…${email.slice(email.lastIndexOf('@'))}`;
}
