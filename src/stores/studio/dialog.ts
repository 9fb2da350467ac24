// The open dialog of a studio page.
import { atom } from 'nanostores';
import { registerFormDraft, takeFormDraft } from '../form_drafts.ts';

/** The open dialog's name: an item's id, `<action> <id>`, `new` or `enter`; null for none. */
export const $dialog = atom<string | null>(null);

const DRAFT_NAME = 'opened';

export function openDialog(name: string): void {
  $dialog.set(name);
}

export function closeDialog(): void {
  $dialog.set(null);
}

/** Closes the dialog if its name is `<action> <id>` with this id. */
export function closeDialogAbout(id: string): void {
  if ($dialog.get()?.endsWith(` ${id}`)) closeDialog();
}

/** Opens the dialog that was open when the session expired; its name was saved like a draft. */
export function restoreDialog(): void {
  const name = takeFormDraft(DRAFT_NAME);
  if (typeof name === 'string') $dialog.set(name);
}

registerFormDraft(DRAFT_NAME, () => $dialog.get() ?? undefined);
