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
const SUCCESS_STAYS_MS = 10_000;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Tells good news for a while; answers the message's id. */
export function tellSuccess(
  title: string,
  text: string,
  action: ToastAction | null = null,
  link: ToastLink | null = null,
): number {
  const id = add({ kind: 'success', title, text, action, link });
  releaseToast(id);
  return id;
}

/** Tells what went wrong until the person closes it. */
export function tellError(title: string, text: string): void {
  add({ kind: 'error', title, text, action: null, link: null });
}

const NEXT_PAGE = 'linework:toast';

/** Tells good news on the page that is about to open. */
export function tellSuccessOnNextPage(title: string, text: string): void {
  try {
    sessionStorage.setItem(NEXT_PAGE, JSON.stringify([title, text]));
  } catch {
    // Storage is forbidden: the next page opens all the same.
  }
}

/** Tells what the page before left to tell. */
export function tellFromLastPage(): void {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(NEXT_PAGE) ?? '[]');
    sessionStorage.removeItem(NEXT_PAGE);
    const [title, text] = Array.isArray(left) ? left : [];
    if (typeof title === 'string' && typeof text === 'string') tellSuccess(title, text);
  } catch {
    // Unreadable: nothing to tell.
  }
}

export function closeToast(id: number): void {
  holdToast(id);
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

/** Closes the message that came last, if there is one. */
export function closeNewestToast(): void {
  const newest = $toasts.get().at(-1);
  if (newest) closeToast(newest.id);
}

/** Keeps a message for as long as someone points at it. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** Lets a held message go in its own time; errors never do. */
export function releaseToast(id: number): void {
  holdToast(id);
  if ($toasts.get().find((toast) => toast.id === id)?.kind !== 'success') return;
  timers.set(
    id,
    setTimeout(() => closeToast(id), SUCCESS_STAYS_MS),
  );
}

function add(message: Omit<Toast, 'id'>): number {
  lastId += 1;
  const id = lastId;
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
