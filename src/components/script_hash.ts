import { remembered } from '#domain/remembered.ts';

// Stays small: the site has only a few inline scripts.
const hashes = new Map<string, Promise<`sha256-${string}`>>();
const shortened = new Map<string, string>();

/** An inline script without indentation, which browsers do not need. */
export function withoutIndentation(code: string): string {
  return remembered(shortened, code, () => code.replace(/^ +/gm, ''));
}

/**
 * The hash by which the content security policy allows an inline script. Computed once, because hashing
 * takes a tenth of the time in which a page is rendered.
 */
export function scriptHash(code: string): Promise<`sha256-${string}`> {
  return remembered(hashes, code, async () => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
    return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` as const;
  });
}
