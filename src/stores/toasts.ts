import { atom } from 'nanostores';

/** A short message in the corner. Errors stay until they are closed. */
export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly text: string;
}

/** Long enough to be read twice. */
const SUCCESS_STAYS_MS = 10_000;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Tells good news for a while. */
export function tellSuccess(title: string, text: string): void {
  releaseToast(add({ kind: 'success', title, text }));
}

/** Tells what went wrong until the person closes it. */
export function tellError(title: string, text: string): void {
  add({ kind: 'error', title, text });
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
  // The same message again replaces the old one, and is read out again.
  const others = $toasts
    .get()
    .filter(({ title, text }) => title !== message.title || text !== message.text);
  $toasts.set([...others, { id, ...message }]);
  return id;
}
