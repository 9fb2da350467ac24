import { firstName } from '#domain/clients/first_name.ts';

/**
 * The greeting of a mail, by the first name.
 * @param name the full name; null for none
 * @param isTrusted whether the recipient chose the name, so that another name, such as 'Dr. Reyes', is whole
 */
export function greeting(name: string | null, isTrusted: boolean): string {
  const shown = name && (firstName(name) ?? (isTrusted ? name : null));
  return shown ? `Hi ${shown},` : 'Hi,';
}

/** The greeting of all, if it is the same; else one without a name. */
export function commonGreeting(greetings: readonly string[]): string {
  const [first = 'Hi,', ...others] = new Set(greetings);
  return others.length === 0 ? first : 'Hi,';
}
