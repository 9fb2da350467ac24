/** How a provider delivers several spellings of an address to one mailbox. */
interface Provider {
  readonly domains: RegExp;
  /** Stands for all domains, which lead to the same mailboxes; absent where each domain has its own mailboxes. */
  readonly domain?: string;
  /** The parts of the name before the @ that are replaced, by `replacement` or by nothing. */
  readonly ignored?: RegExp;
  readonly replacement?: string;
}

const PROVIDERS: readonly Provider[] = [
  { domains: /^(?:gmail|googlemail)\.com$/, domain: 'gmail.com', ignored: /\./g },
  {
    domains: /^(?:proton\.me|protonmail\.com|pm\.me)$/,
    domain: 'proton.me',
    ignored: /[._-]/g,
  },
  { domains: /^(?:icloud|me|mac)\.com$/, domain: 'icloud.com' },
  {
    domains:
      /^(?:(?:ya|narod)\.ru|yandex\.(?:az|by|co\.il|com|com\.(?:am|ge|tr)|ee|fr|kg|kz|lt|lv|md|ru|tj|tm|ua|uz))$/,
    domain: 'yandex.ru',
    ignored: /\./g,
    replacement: '-',
  },
  {
    // Disposable addresses have a keyword after a hyphen; no name contains one.
    domains: /^(?:yahoo\.(?:com|[a-z]{2}|com?\.[a-z]{2})|(?:ymail|rocketmail|myyahoo)\.com)$/,
    ignored: /(?<=.)-.*/,
  },
];

/** Fastmail delivers `any@name.fastmail.com` to `name@fastmail.com`. */
const FASTMAIL_SUBDOMAIN =
  /^([^.]+)\.(fastmail\.(?:cn|co\.uk|com|com\.au|de|es|fm|fr|im|in|jp|mx|net|nl|org|se|to|tw|uk|us))$/;

/**
 * The same text for all spellings of an email address that reach one mailbox: `Ro.sa+ink@gmail.com`
 * and `rosa@googlemail.com` are one. Only for counts and comparisons, never to send a mail to.
 */
export function toMailbox(email: string): string {
  const typed = email.trim().toLowerCase();
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  const [, owner, ownDomain] = FASTMAIL_SUBDOMAIN.exec(domain) ?? [];
  if (owner !== undefined) return `${owner}@${ownDomain}`;
  const name = typed.slice(0, at).replace(/(?<=.)\+.*/, '');
  const provider = PROVIDERS.find(({ domains }) => domains.test(domain));
  const { ignored, replacement = '' } = provider ?? {};
  const usualName = (ignored && name.replace(ignored, replacement)) || name;
  return `${usualName}@${provider?.domain ?? domain}`;
}

/** The first letter of an email and its domain, such as `r•••@example.com`. */
export function toEmailHint(email: string): string {
  const [first = ''] = email;
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`;
}

/** The first part of a network, such as `203.•••` of 203.0.113.0/24 or `2001:•••`. */
export function toNetworkHint(network: string): string {
  return network.replace(/(?<=[.:]).*/, '•••');
}
