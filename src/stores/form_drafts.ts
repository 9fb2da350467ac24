import { onSessionExpired } from './session.ts';

const STORAGE_KEY = 'linework:typed';

const registeredForms = new Map<string, () => unknown>();
let artistId: string | null = null;

/** Says whose forms these are; what one artist typed is never shown to another. */
export function setFormDraftOwner(id: string): void {
  artistId = id;
}

/**
 * Lets a form be kept should the artist have to log in again in the middle of it.
 * @param name of the form on its page
 * @param read what is typed, as plain data; undefined when there is nothing to keep
 * @returns forgets the form
 */
export function registerFormDraft(name: string, read: () => unknown): () => void {
  registeredForms.set(name, read);
  return () => registeredForms.delete(name);
}

/** What was typed into a form of this page before the artist had to log in again; only once. */
export function takeFormDraft(name: string): unknown {
  const kept = readFormDrafts();
  if (kept === null || kept.artistId !== artistId || kept.path !== location.pathname)
    return undefined;
  const { [name]: typed, ...rest } = kept.forms;
  writeFormDrafts(Object.keys(rest).length === 0 ? null : { ...kept, forms: rest });
  return typed;
}

onSessionExpired(() => {
  const typed = [...registeredForms].flatMap(([name, read]) => {
    const value = read();
    return value === undefined ? [] : [[name, value] as const];
  });
  if (artistId === null || typed.length === 0) return;
  writeFormDrafts({ artistId, path: location.pathname, forms: Object.fromEntries(typed) });
});

interface SavedFormDrafts {
  readonly artistId: string;
  readonly path: string;
  readonly forms: Readonly<Record<string, unknown>>;
}

function writeFormDrafts(kept: SavedFormDrafts | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: logging in works, the form is only not filled again.
  }
}

function readFormDrafts(): SavedFormDrafts | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
    return isSavedFormDrafts(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isSavedFormDrafts(kept: unknown): kept is SavedFormDrafts {
  if (typeof kept !== 'object' || kept === null) return false;
  if (!('artistId' in kept && 'path' in kept && 'forms' in kept)) return false;
  return typeof kept.forms === 'object' && kept.forms !== null;
}
