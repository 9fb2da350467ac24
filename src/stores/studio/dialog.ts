import { atom } from 'nanostores';
import { registerFormDraft, takeFormDraft } from '../form_drafts.ts';

/** What the open dialog of the page is about: the id of something, or `new`; null when closed. */
export const $dialog = atom<string | null>(null);

export function openDialog(what: string): void {
  $dialog.set(what);
}

export function closeDialog(): void {
  $dialog.set(null);
}

/** Closes a dialog about `id`, and leaves others open. */
export function closeDialogAbout(id: string): void {
  if ($dialog.get()?.endsWith(` ${id}`)) closeDialog();
}

/** Opens what was open before the artist had to log in again. */
export function restoreDialog(): void {
  const kept = takeFormDraft('opened');
  if (typeof kept === 'string') $dialog.set(kept);
}

registerFormDraft('opened', () => $dialog.get() ?? undefined);
