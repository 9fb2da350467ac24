// The dialog that is open on a page for artists.
import { atom } from 'nanostores';
import { registerFormDraft, takeFormDraft } from '../form_drafts.ts';

/**
 * The name of the open dialog; null for none. Names are an item's id (edits the item),
 * `<action> <id>` (another action on an item, such as `decline <id>`), `new` (adds an item) and
 * `enter` (enters an appointment by hand).
 */
export const $dialog = atom<string | null>(null);

/** The name of the form draft that keeps the open dialog's name when the session expires. */
const DRAFT_NAME = 'opened';

export function openDialog(name: string): void {
  $dialog.set(name);
}

export function closeDialog(): void {
  $dialog.set(null);
}

/** Closes the dialog `<action> <id>` of an item that is no longer shown. */
export function closeDialogAbout(id: string): void {
  if ($dialog.get()?.endsWith(` ${id}`)) closeDialog();
}

/** Opens the dialog that was open when the session expired. */
export function restoreDialog(): void {
  const name = takeFormDraft(DRAFT_NAME);
  if (typeof name === 'string') $dialog.set(name);
}

registerFormDraft(DRAFT_NAME, () => $dialog.get() ?? undefined);
