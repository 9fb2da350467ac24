import { atom } from 'nanostores';

/** A short message in the corner. Errors stay until they are closed. */
export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly text: string;
  /** What the person can still do about it. */
  readonly action: ToastAction | null;
  /** Where to go on. */
  readonly link: ToastLink | null;
}

export interface ToastLink {
  readonly label: string;
  readonly href: string;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** Long enough to be read twice. */
const SUCCESS_DURATION_MS = 10_000;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let lastToastId = 0;
const closeTimers = new Map<number, ReturnType<typeof setTimeout>>();

/** Tells good news for a while; answers the message's id. */
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

/** Tells what went wrong until the person closes it. */
export function showErrorToast(title: string, text: string): void {
  addToast({ kind: 'error', title, text, action: null, link: null });
}

const NEXT_PAGE_TOAST_KEY = 'linework:toast';

/** Tells good news on the page that is about to open. */
export function showSuccessToastOnNextPage(title: string, text: string): void {
  try {
    sessionStorage.setItem(NEXT_PAGE_TOAST_KEY, JSON.stringify([title, text]));
  } catch {
    // Storage is forbidden: the next page opens all the same.
  }
}

/** Tells what the page before left to tell. */
export function showToastFromLastPage(): void {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(NEXT_PAGE_TOAST_KEY) ?? '[]');
    sessionStorage.removeItem(NEXT_PAGE_TOAST_KEY);
    const [title, text] = Array.isArray(left) ? left : [];
    if (typeof title === 'string' && typeof text === 'string') showSuccessToast(title, text);
  } catch {
    // Unreadable: nothing to tell.
  }
}

export function closeToast(id: number): void {
  stopToastTimer(id);
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

/** Closes the message that came last, if there is one. */
export function closeNewestToast(): void {
  const newest = $toasts.get().at(-1);
  if (newest) closeToast(newest.id);
}

/** Keeps a message for as long as someone points at it. */
export function stopToastTimer(id: number): void {
  clearTimeout(closeTimers.get(id));
  closeTimers.delete(id);
}

/** Lets a held message go in its own time; errors never do. */
export function startToastTimer(id: number): void {
  stopToastTimer(id);
  if ($toasts.get().find((toast) => toast.id === id)?.kind !== 'success') return;
  closeTimers.set(
    id,
    setTimeout(() => closeToast(id), SUCCESS_DURATION_MS),
  );
}

function addToast(message: Omit<Toast, 'id'>): number {
  lastToastId += 1;
  const id = lastToastId;
  // The same message again replaces the old one, and is read out again; not what can be undone.
  const others = $toasts
    .get()
    .filter(
      ({ title, text, action }) =>
        action !== null || title !== message.title || text !== message.text,
    );
  $toasts.set([...others, { id, ...message }]);
  return id;
}
