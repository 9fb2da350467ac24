// Saves forms when the artist's session expires, and restores them after the artist logs in again. A form
// may also save them when the connection is lost, for a reload.

import { sessionItems } from './browser_storage.ts';
import { onSessionExpired } from './session.ts';
import { toRecord } from './stored_values.ts';

const STORAGE_KEY = 'linework:form-drafts';

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
  const saved = toRecord(sessionItems.getJson(STORAGE_KEY));
  if (saved['artistId'] !== artistId || saved['path'] !== location.pathname) return undefined;
  const { [name]: values, ...forms } = toRecord(saved['forms']);
  const isLast = Object.keys(forms).length === 0;
  sessionItems.setJson(STORAGE_KEY, isLast ? null : { ...saved, forms });
  return values;
}

/** Saves the values of all forms on the page. */
export function saveFormDrafts(): void {
  const forms: Record<string, unknown> = {};
  for (const [name, read] of registeredForms) {
    const values = read();
    if (values !== undefined) forms[name] = values;
  }
  if (artistId === null || Object.keys(forms).length === 0) return;
  sessionItems.setJson(STORAGE_KEY, { artistId, path: location.pathname, forms });
}

onSessionExpired(saveFormDrafts);
