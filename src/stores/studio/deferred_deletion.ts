// Deletions that can be undone. Each is sent when its toast closes or the artist leaves the page,
// unless the artist pressed Undo.
import { atom } from 'nanostores';
import { showFailureToast } from '../error_text.ts';
import { $toasts, closeToast, showSuccessToast } from '../toasts.ts';

interface DeferredDeletion {
  readonly id: string;
  readonly name: string;
  /** Deletes the item on our server, then removes it from the list's store; rejects on an error. */
  readonly send: () => Promise<unknown>;
}

/** Ids of the items that lists hide, although our server still has them. */
export const $deletedIds = atom<ReadonlySet<string>>(new Set());

/** The deletions that are not sent yet, by the item's id. `toastId` is the toast with Undo. */
const pendingDeletions = new Map<string, DeferredDeletion & { readonly toastId: number }>();

/** Hides an item, and deletes it when its toast closes or the artist leaves the page. */
export function deferDeletion(deletion: DeferredDeletion): void {
  const { id, name } = deletion;
  // The browser adds the same listener only once.
  addEventListener('pagehide', sendDeletionsNow);
  $deletedIds.set(new Set([...$deletedIds.get(), id]));
  const toastId = showSuccessToast('Deleted.', `“${name}” was deleted.`, {
    label: 'Undo',
    run() {
      pendingDeletions.delete(id);
      unhide(id);
    },
  });
  pendingDeletions.set(id, { ...deletion, toastId });
}

/** Sends a pending deletion; does nothing when it is sent already or undone. */
async function sendDeletion(id: string): Promise<void> {
  const deletion = pendingDeletions.get(id);
  if (!deletion) return;
  pendingDeletions.delete(id);
  try {
    await deletion.send();
  } catch (error) {
    showFailureToast(error, `“${deletion.name}” was not deleted.`);
  }
  // After an error the item appears again; after a success `send` has removed it from its list.
  unhide(id);
}

function unhide(id: string): void {
  $deletedIds.set(new Set([...$deletedIds.get()].filter((other) => other !== id)));
}

$toasts.listen((toasts) => {
  for (const [id, { toastId }] of pendingDeletions) {
    // Undo closes the toast, then cancels the deletion. The microtask runs after both.
    if (!toasts.some((toast) => toast.id === toastId)) queueMicrotask(() => sendDeletion(id));
  }
});

/** Sends all pending deletions now, in parallel, and waits for the responses. */
export async function sendDeletionsNow(): Promise<void> {
  const responses = [...pendingDeletions].map(([id, { toastId }]) => {
    const response = sendDeletion(id);
    // The browser may restore this page from its back/forward cache, but Undo no longer works then.
    closeToast(toastId);
    return response;
  });
  await Promise.all(responses);
}
