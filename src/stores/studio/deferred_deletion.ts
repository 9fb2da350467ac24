import { atom } from 'nanostores';
import { errorText } from '../error_text.ts';
import { $toasts, closeToast, showErrorToast, showSuccessToast } from '../toasts.ts';

export interface DeferredDeletion {
  readonly id: string;
  /** What is deleted, for the message. */
  readonly name: string;
  /** Deletes it for good; it comes back when this fails. */
  readonly send: () => Promise<unknown>;
}

/** Ids of what the artist deleted and no list shows any more, though it may still be taken back. */
export const $deletedIds = atom<ReadonlySet<string>>(new Set());

/** With the message that offers to take it back. */
const pendingDeletions = new Map<string, DeferredDeletion & { readonly toastId: number }>();

/**
 * Deletes something, which can be taken back for as long as the message about it is there. Leaving
 * the page is meant as yes.
 */
export function deferDeletion(deletion: DeferredDeletion): void {
  const { id, name } = deletion;
  startListening();
  $deletedIds.set(new Set([...$deletedIds.get(), id]));
  const toastId = showSuccessToast('Deleted.', `“${name}” was deleted.`, {
    label: 'Undo',
    run: () => undoDeletion(id),
  });
  pendingDeletions.set(id, { ...deletion, toastId });
}

function undoDeletion(id: string): void {
  pendingDeletions.delete(id);
  removeDeletedId(id);
}

async function sendDeletion(id: string): Promise<void> {
  const deletion = pendingDeletions.get(id);
  if (!deletion) return;
  pendingDeletions.delete(id);
  try {
    await deletion.send();
  } catch (error) {
    showErrorToast(
      'Something went wrong.',
      `“${deletion.name}” was not deleted. ${errorText(error)}`,
    );
  }
  removeDeletedId(id);
}

/** By now what is deleted for good is in no list. */
function removeDeletedId(id: string): void {
  $deletedIds.set(new Set([...$deletedIds.get()].filter((other) => other !== id)));
}

let isListening = false;
function startListening(): void {
  if (isListening) return;
  isListening = true;
  $toasts.listen((toasts) => {
    for (const [id, { toastId }] of pendingDeletions) {
      // Undo closes its message just before it acts.
      if (!toasts.some((toast) => toast.id === toastId)) queueMicrotask(() => sendDeletion(id));
    }
  });
  addEventListener('pagehide', sendDeletionsNow);
}

/** Deletes at once all that may still be taken back; done when the server knows. */
export async function sendDeletionsNow(): Promise<void> {
  const sending = [...pendingDeletions].map(([id, { toastId }]) => {
    const sent = sendDeletion(id);
    // The browser may bring the page back as it is now.
    closeToast(toastId);
    return sent;
  });
  await Promise.all(sending);
}
