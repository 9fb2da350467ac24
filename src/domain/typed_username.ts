import { toPlainText } from './typed_text.ts';

// Apart from `username.ts`, whose lists of reserved words few pages load.

/** A username as people type it, without the one `@` before it. */
export function withoutAt(typed: string): string {
  return typed.replace(/^@/, '');
}

/** A typed username in the form of stored ones: plain, without an `@`, in lower case. */
export function toUsername(typed: string): string {
  return withoutAt(toPlainText(typed)).toLowerCase();
}
