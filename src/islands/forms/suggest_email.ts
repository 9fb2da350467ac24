import { run } from '@zootools/email-spell-checker';

/**
 * Common mail providers with long names: a mistyped short one, such as `gmx`, may well be a company.
 * The package's own list lacks many, and then suggests another provider, such as cox.net for gmx.net.
 */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'ymail.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
  't-online.de',
  'freenet.de',
  'yandex.com',
];

/** Of a domain without its ending: a shorter one, such as `gmx`, may well be a company. */
const MIN_NAME_LENGTH = 4;

/** Endings of countries, such as `de` and `co.uk`; not `co`, `cm` and `om`, which are `com` mistyped. */
const COUNTRY_ENDING = /^(?!co$|cm$|om$)([a-z]{2}|com?\.[a-z]{2})$/;

/** The likely address: `rosa@gmail.com` for `rosa@gmial.com`. Null when the domain may be right. */
export function suggestEmail(typed: string): string | null {
  const [, person, name, ending] =
    /^([^<>]+)@([^@.]+)\.([^@<>]+)$/.exec(typed.trim().toLowerCase()) ?? [];
  if (!person || !name || !ending || name.length < MIN_NAME_LENGTH) return null;
  const suggested = run({
    email: `${person}@${name}.${ending}`,
    domains: PROVIDERS,
    // Only whole domains are compared: else `studio.con` would become `studio.com`.
    secondLevelDomains: [],
    topLevelDomains: [],
  })?.domain;
  // A provider with another first letter is rarely meant.
  if (suggested?.[0] !== name[0]) return null;
  // The provider may have a domain in that country, such as `yahoo.de`.
  if (suggested?.startsWith(`${name}.`) && COUNTRY_ENDING.test(ending)) return null;
  return `${typed.trim().slice(0, person.length)}@${suggested}`;
}
