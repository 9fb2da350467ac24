import { atom } from 'nanostores';
import { keepable, takeTyped } from '../typed.ts';

/** What the open dialog of the page is about: the id of something, or `new`; null when closed. */
export const $opened = atom<string | null>(null);

export function open(what: string): void {
  $opened.set(what);
}

export function close(): void {
  $opened.set(null);
}

/** Closes a dialog about `id`, and leaves others open. */
export function closeAbout(id: string): void {
  if ($opened.get()?.endsWith(` ${id}`)) close();
}

/** Opens what was open before the artist had to log in again. */
export function reopen(): void {
  const kept = takeTyped('opened');
  if (typeof kept === 'string') $opened.set(kept);
}

keepable('opened', () => $opened.get() ?? undefined);
