import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/call.ts';
import { $deletedIds, deferDeletion } from '#stores/studio/deferred_deletion.ts';
import { $toasts, closeToast } from '#stores/toasts.ts';

afterEach(() => {
  for (const { id } of $toasts.get()) closeToast(id);
});

function deleteLater(id: string, send: () => Promise<void> = async () => {}) {
  const sendMock = vi.fn(send);
  deferDeletion({ id, name: id, send: sendMock });
  return sendMock;
}

const newestToast = () => $toasts.get().at(-1);

function undo(): void {
  const toast = newestToast();
  // The same order as in the toast component: close, then run.
  closeToast(toast?.id ?? 0);
  toast?.action?.run();
}

const isDeleted = (id: string) => $deletedIds.get().has(id);

test('a deletion hides the item at once and is sent only when its toast closes', async () => {
  const send = deleteLater('swallow');
  expect(isDeleted('swallow')).toBe(true);
  await Promise.resolve();
  expect(send).not.toHaveBeenCalled();
  closeToast(newestToast()?.id ?? 0);
  await vi.waitFor(() => expect(isDeleted('swallow')).toBe(false));
  expect(send).toHaveBeenCalledOnce();
});

test('leaving the page sends all pending deletions once', async () => {
  const sends = [deleteLater('anchor'), deleteLater('rose')];
  dispatchEvent(new Event('pagehide'));
  for (const send of sends) expect(send).toHaveBeenCalledOnce();
  dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect($deletedIds.get().size).toBe(0));
  for (const send of sends) expect(send).toHaveBeenCalledOnce();
  expect($toasts.get()).toEqual([]);
});

test('deletions of two items with the same name are sent or undone separately', async () => {
  const first = vi.fn(async () => {});
  const second = vi.fn(async () => {});
  deferDeletion({ id: 'one', name: 'New design', send: first });
  const firstToast = newestToast()?.id ?? 0;
  deferDeletion({ id: 'two', name: 'New design', send: second });
  undo();
  expect([...$deletedIds.get()]).toEqual(['one']);
  closeToast(firstToast);
  await vi.waitFor(() => expect(first).toHaveBeenCalledOnce());
  expect(second).not.toHaveBeenCalled();
  await vi.waitFor(() => expect($deletedIds.get().size).toBe(0));
});

test('an item that cannot be deleted reappears with an error toast', async () => {
  deleteLater('panther', () => Promise.reject(new ApiError(503, 'Unavailable', 'A part is down')));
  closeToast(newestToast()?.id ?? 0);
  await vi.waitFor(() =>
    expect(newestToast()).toMatchObject({
      title: '“panther” was not deleted.',
      text: 'A part is down',
    }),
  );
  expect(newestToast()?.kind).toBe('error');
  expect(isDeleted('panther')).toBe(false);
});
