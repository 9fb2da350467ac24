// Saves forms when the artist's session expires, and restores them after the artist logs in again. A form
// may also save them when the connection is lost, for a reload.

import { getSessionJson, setSessionItem, setSessionJson } from './browser_storage.ts';
import { onSessionExpired } from './session.ts';

const STORAGE_KEY = 'linework:form-drafts';

/** The drafts of one page, as the session storage holds them. */
interface SavedFormDrafts {
  readonly artistId: string;
  readonly path: string;
  readonly forms: Readonly<Record<string, unknown>>;
}

/** The forms on the page: functions that read the values, by the form's name. */
const registeredForms = new Map<string, () => unknown>();
/** The logged-in artist; null until `setFormDraftOwner` is called. */
let artistId: string | null = null;

/** Sets the artist whose drafts are saved; no other artist ever sees them. */
export function setFormDraftOwner(id: string): void {
  artistId = id;
}

/**
 * Registers a form, to save its values when the session expires.
 * @param name the form's name, unique on its page
 * @param read returns the values as JSON data; undefined when there is nothing to save
 * @returns the function that unregisters the form
 */
export function registerFormDraft(name: string, read: () => unknown): () => void {
  registeredForms.set(name, read);
  return () => registeredForms.delete(name);
}

/** Returns and removes the saved values of a form of this page; undefined when there are none. */
export function takeFormDraft(name: string): unknown {
  const saved = getSessionJson(STORAGE_KEY);
  if (!isSavedFormDrafts(saved)) return undefined;
  if (saved.artistId !== artistId || saved.path !== location.pathname) return undefined;
  const { [name]: values, ...otherForms } = saved.forms;
  const isLast = Object.keys(otherForms).length === 0;
  if (isLast) setSessionItem(STORAGE_KEY, null);
  else setSessionJson(STORAGE_KEY, { ...saved, forms: otherForms });
  return values;
}

/** Saves the values of all forms on the page. */
export function saveFormDrafts(): void {
  const drafts = [...registeredForms].flatMap(([name, read]) => {
    const values = read();
    return values === undefined ? [] : [[name, values] as const];
  });
  if (artistId === null || drafts.length === 0) return;
  const forms = Object.fromEntries(drafts);
  setSessionJson(STORAGE_KEY, { artistId, path: location.pathname, forms });
}

onSessionExpired(saveFormDrafts);

function isSavedFormDrafts(value: unknown): value is SavedFormDrafts {
  if (typeof value !== 'object' || value === null) return false;
  if (!('artistId' in value && 'path' in value && 'forms' in value)) return false;
  return typeof value.forms === 'object' && value.forms !== null;
}
