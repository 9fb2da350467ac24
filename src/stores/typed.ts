import { onExpiry } from './session.ts';

const KEY = 'linework:typed';

const forms = new Map<string, () => unknown>();
let artistId: string | null = null;

/** Says whose forms these are; what one artist typed is never shown to another. */
export function typedBy(id: string): void {
  artistId = id;
}

/**
 * Lets a form be kept should the artist have to log in again in the middle of it.
 * @param name of the form on its page
 * @param read what is typed, as plain data; undefined when there is nothing to keep
 * @returns forgets the form
 */
export function keepable(name: string, read: () => unknown): () => void {
  forms.set(name, read);
  return () => forms.delete(name);
}

/** What was typed into a form of this page before the artist had to log in again; only once. */
export function takeTyped(name: string): unknown {
  const kept = readKept();
  if (kept === null || kept.artistId !== artistId || kept.path !== location.pathname)
    return undefined;
  const { [name]: typed, ...rest } = kept.forms;
  write(Object.keys(rest).length === 0 ? null : { ...kept, forms: rest });
  return typed;
}

onExpiry(() => {
  const typed = [...forms].flatMap(([name, read]) => {
    const value = read();
    return value === undefined ? [] : [[name, value] as const];
  });
  if (artistId === null || typed.length === 0) return;
  write({ artistId, path: location.pathname, forms: Object.fromEntries(typed) });
});

interface Kept {
  readonly artistId: string;
  readonly path: string;
  readonly forms: Readonly<Record<string, unknown>>;
}

function write(kept: Kept | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: logging in works, the form is only not filled again.
  }
}

function readKept(): Kept | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKept(kept: unknown): kept is Kept {
  if (typeof kept !== 'object' || kept === null) return false;
  if (!('artistId' in kept && 'path' in kept && 'forms' in kept)) return false;
  return typeof kept.forms === 'object' && kept.forms !== null;
}
