// The open dialog of a studio page.
import { atom } from 'nanostores';
import { registerFormDraft, takeFormDraft } from '../form_drafts.ts';

/**
 * The open dialog's name: an item's id (edit it), `<action> <id>`, `new` (add an item) or `enter` (enter
 * an appointment by hand); null for none.
 */
export const $dialog = atom<string | null>(null);

const DRAFT_NAME = 'opened';

export function openDialog(name: string): void {
  $dialog.set(name);
}

export function closeDialog(): void {
  $dialog.set(null);
}

/** Closes the dialog of an action on this item (`<action> <id>`), when the item is no longer shown. */
export function closeDialogAbout(id: string): void {
  if ($dialog.get()?.endsWith(` ${id}`)) closeDialog();
}

/** Opens the dialog that was open when the session expired; its name was saved like a draft. */
export function restoreDialog(): void {
  const name = takeFormDraft(DRAFT_NAME);
  if (typeof name === 'string') $dialog.set(name);
}

registerFormDraft(DRAFT_NAME, () => $dialog.get() ?? undefined);
