// Toasts: short messages in the corner of the page.
import { atom } from 'nanostores';
import { sessionItems } from './browser_storage.ts';

/** A message. A success closes by itself after a while; only the user closes an error. */
export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly text: string;
  readonly action: ToastAction | null;
  readonly link: ToastLink | null;
}

/** A link beside the text. */
export interface ToastLink {
  readonly label: string;
  readonly href: string;
}

/** A button, such as Undo. Pressing it closes the toast and then calls `run`. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** Long enough to read the message twice. */
const SUCCESS_DURATION_MS = 10_000;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let lastToastId = 0;
/** The timers that close toasts, by the toast's id. */
const closeTimers = new Map<number, ReturnType<typeof setTimeout>>();

/** Shows a success, which closes by itself. @returns the id of the toast */
export function showSuccessToast(
  title: string,
  text: string,
  action: ToastAction | null = null,
  link: ToastLink | null = null,
): number {
  const id = addToast({ kind: 'success', title, text, action, link });
  startToastTimer(id);
  return id;
}

/** Shows an error, which stays until it is closed. */
export function showErrorToast(title: string, text: string): void {
  addToast({ kind: 'error', title, text, action: null, link: null });
}

/** Closes all errors. Call it when the user acts again: the errors are about an earlier action. */
export function closeErrorToasts(): void {
  $toasts.set($toasts.get().filter(({ kind }) => kind === 'success'));
}

const NEXT_PAGE_TOAST_KEY = 'linework:toast';

/** Saves a toast for the next page in this tab, which calls `showToastFromLastPage`. */
export function showSuccessToastOnNextPage(title: string, text: string): void {
  sessionItems.setJson(NEXT_PAGE_TOAST_KEY, [title, text]);
}

/** Shows the toast that the previous page saved, if any, and removes it from the storage. */
export function showToastFromLastPage(): void {
  const saved = sessionItems.getJson(NEXT_PAGE_TOAST_KEY);
  sessionItems.setText(NEXT_PAGE_TOAST_KEY, null);
  const [title, text] = Array.isArray(saved) ? saved : [];
  if (typeof title === 'string' && typeof text === 'string') showSuccessToast(title, text);
}

/** Closes a toast; does nothing if it is closed already, or there is none. */
export function closeToast(id: number | undefined): void {
  if (id === undefined) return;
  stopToastTimer(id);
  const others = $toasts.get().filter((toast) => toast.id !== id);
  if (others.length < $toasts.get().length) $toasts.set(others);
}

export function closeNewestToast(): void {
  const newest = $toasts.get().at(-1);
  if (newest) closeToast(newest.id);
}

/** Keeps a toast open, such as while the pointer or the focus is on it. */
export function stopToastTimer(id: number): void {
  clearTimeout(closeTimers.get(id));
  closeTimers.delete(id);
}

/** Closes a success `SUCCESS_DURATION_MS` from now; an error stays. */
export function startToastTimer(id: number): void {
  stopToastTimer(id);
  if ($toasts.get().find((toast) => toast.id === id)?.kind !== 'success') return;
  const timer = setTimeout(() => closeToast(id), SUCCESS_DURATION_MS);
  closeTimers.set(id, timer);
}

function addToast(message: Omit<Toast, 'id'>): number {
  lastToastId += 1;
  const id = lastToastId;
  // A toast with the same text is replaced, because screen readers announce only an added toast. An earlier
  // success is replaced, so that they do not pile up. A toast with an action stays, and a success with a link,
  // too: they may be about another item.
  const isReplaced = ({ kind, title, text, action, link }: Toast) =>
    action === null &&
    ((kind === 'success' && link === null) || (title === message.title && text === message.text));
  $toasts.set([...$toasts.get().filter((toast) => !isReplaced(toast)), { id, ...message }]);
  return id;
}
