import { atom } from 'nanostores';
import { reasonOf } from '../reason.ts';
import { $toasts, closeToast, tellError, tellSuccess } from '../toasts.ts';

export interface Deletion {
  readonly id: string;
  /** What is deleted, for the message. */
  readonly name: string;
  /** Deletes it for good; it comes back when this fails. */
  readonly send: () => Promise<unknown>;
}

/** Ids of what the artist deleted and no list shows any more, though it may still be taken back. */
export const $leaving = atom<ReadonlySet<string>>(new Set());

/** With the message that offers to take it back. */
const waiting = new Map<string, Deletion & { readonly toastId: number }>();

/**
 * Deletes something, which can be taken back for as long as the message about it is there. Leaving
 * the page is meant as yes.
 */
export function deleteLater(deletion: Deletion): void {
  const { id, name } = deletion;
  listen();
  $leaving.set(new Set([...$leaving.get(), id]));
  const toastId = tellSuccess('Deleted.', `“${name}” was deleted.`, {
    label: 'Undo',
    run: () => undo(id),
  });
  waiting.set(id, { ...deletion, toastId });
}

function undo(id: string): void {
  waiting.delete(id);
  comeBack(id);
}

async function send(id: string): Promise<void> {
  const deletion = waiting.get(id);
  if (!deletion) return;
  waiting.delete(id);
  try {
    await deletion.send();
  } catch (error) {
    tellError('Something went wrong.', `“${deletion.name}” was not deleted. ${reasonOf(error)}`);
  }
  comeBack(id);
}

/** By now what is deleted for good is in no list. */
function comeBack(id: string): void {
  $leaving.set(new Set([...$leaving.get()].filter((other) => other !== id)));
}

let listens = false;
function listen(): void {
  if (listens) return;
  listens = true;
  $toasts.listen((toasts) => {
    for (const [id, { toastId }] of waiting) {
      // Undo closes its message just before it acts.
      if (!toasts.some((toast) => toast.id === toastId)) queueMicrotask(() => send(id));
    }
  });
  addEventListener('pagehide', deleteNow);
}

/** Deletes at once all that may still be taken back; done when the server knows. */
export async function deleteNow(): Promise<void> {
  const sending = [...waiting].map(([id, { toastId }]) => {
    const sent = send(id);
    // The browser may bring the page back as it is now.
    closeToast(toastId);
    return sent;
  });
  await Promise.all(sending);
}
