import { firstName } from '#domain/first_name.ts';
import type { ContentBlock } from './mail_content.ts';

/**
 * The greeting of a mail, by the first name.
 * @param name the full name; null for none
 * @param isTrusted whether the recipient chose the name, so that another name, such as 'Dr. Reyes', is whole
 */
export function greeting(name: string | null, isTrusted: boolean): ContentBlock {
  const shown = name && (firstName(name) ?? (isTrusted ? name : null));
  return { text: shown ? `Hi ${shown},` : 'Hi,' };
}
