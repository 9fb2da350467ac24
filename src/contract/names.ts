/** Names that others see. Apart from `text_fields.ts`: the booking form's script has no room for these checks. */
import * as z from 'zod/mini';
import { hasControlCharacters, isInvisible, isLink } from '#domain/text/link_text.ts';
import { MAX_NAME_LENGTH, requiredText, trimmedText } from './common.ts';

const nameChecks = () => [
  z.refine<string>((text) => !hasControlCharacters(text), 'Must be one line of text'),
  z.refine<string>((text) => !isInvisible(text), 'Must contain visible characters'),
  z.refine<string>((text) => !isLink(text), 'Must not contain a link'),
];

/**
 * A name, or another short text that pages and mails show to others: one line, without a link. Words with
 * dots, as in `C.so Italia`, are allowed here; mails check them again (`looksLikeLink`).
 * @param message shown when the name is missing or empty
 */
export function nameText(message: string, max = MAX_NAME_LENGTH) {
  return requiredText(max, message).check(...nameChecks());
}

/** A name that may be left out: absent, null and blank are all null. */
export function optionalName(max = MAX_NAME_LENGTH) {
  return z.pipe(
    z.nullish(trimmedText(max).check(...nameChecks())),
    z.transform((value: string | null | undefined) => value || null),
  );
}
