// The forms whose text the page keeps in the tab's session storage while it is not sent (KeptForms.astro).
import { setSessionItem } from './browser_storage.ts';

/** Drops the text of a form that was accepted. */
export function dropKeptForm(name: string): void {
  for (const field of ['note', 'email']) setSessionItem(`linework:kept:${name}:${field}`, null);
}
