// Apart from `username.ts`, so that pages which need only this do not load its lists of reserved words.

/** A username as people type it, without the one `@` before it. */
export function withoutAt(typed: string): string {
  return typed.replace(/^@/, '');
}

/** A typed username in the form of stored ones: without spaces around it and an `@`, in lower case. */
export function toUsername(typed: string): string {
  return withoutAt(typed.trim()).toLowerCase();
}
