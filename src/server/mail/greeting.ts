import { firstName } from '#domain/clients/first_name.ts';

/**
 * The greeting of a mail, by the first name.
 * @param name the full name; null for none
 * @param isTrusted whether the recipient chose the name: then a name without a first name, such as 'Dr. Reyes', is
 *   shown whole, which may be a stranger's text otherwise
 */
export function greeting(
  name: string | null,
  { isTrusted }: { readonly isTrusted: boolean },
): string {
  const fallback = isTrusted ? name : null;
  const shown = firstName(name ?? '') ?? fallback;
  return shown ? `Hi ${shown},` : 'Hi,';
}

/** The greeting of all notices of a mail if they have the same; else the greeting without a name. */
export function commonGreeting(greetings: readonly string[]): string {
  const [first = 'Hi,', ...others] = new Set(greetings);
  return others.length === 0 ? first : 'Hi,';
}
