import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';
import { $deletedIds, deferDeletion } from '#stores/studio/deferred_deletion.ts';
import { $toasts, closeToast } from '#stores/toasts.ts';

afterEach(() => {
  for (const { id } of $toasts.get()) closeToast(id);
});

function deletion(id: string, send: () => Promise<void> = async () => {}) {
  const sending = vi.fn(send);
  deferDeletion({ id, name: id, send: sending });
  return sending;
}

const newest = () => $toasts.get().at(-1);

function undo(): void {
  const toast = newest();
  // As the message does it: it closes, and then acts.
  closeToast(toast?.id ?? 0);
  toast?.action?.run();
}

const isLeaving = (id: string) => $deletedIds.get().has(id);

test('what is deleted leaves at once, and is sent only when its message goes', async () => {
  const send = deletion('swallow');
  expect(isLeaving('swallow')).toBe(true);
  await Promise.resolve();
  expect(send).not.toHaveBeenCalled();
  closeToast(newest()?.id ?? 0);
  await vi.waitFor(() => expect(isLeaving('swallow')).toBe(false));
  expect(send).toHaveBeenCalledOnce();
});

test('what is taken back is never sent', async () => {
  const send = deletion('dagger');
  undo();
  expect(isLeaving('dagger')).toBe(false);
  await Promise.resolve();
  dispatchEvent(new Event('pagehide'));
  expect(send).not.toHaveBeenCalled();
});

test('leaving the page sends all that wait, once', async () => {
  const sends = [deletion('anchor'), deletion('rose')];
  dispatchEvent(new Event('pagehide'));
  for (const send of sends) expect(send).toHaveBeenCalledOnce();
  dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect($deletedIds.get().size).toBe(0));
  for (const send of sends) expect(send).toHaveBeenCalledOnce();
  expect($toasts.get()).toEqual([]);
});

test('of two with the same name, each is deleted or taken back on its own', async () => {
  const first = vi.fn(async () => {});
  const second = vi.fn(async () => {});
  deferDeletion({ id: 'one', name: 'New design', send: first });
  const firstToast = newest()?.id ?? 0;
  deferDeletion({ id: 'two', name: 'New design', send: second });
  undo();
  expect([...$deletedIds.get()]).toEqual(['one']);
  closeToast(firstToast);
  await vi.waitFor(() => expect(first).toHaveBeenCalledOnce());
  expect(second).not.toHaveBeenCalled();
  await vi.waitFor(() => expect($deletedIds.get().size).toBe(0));
});

test('what cannot be deleted comes back, and the artist reads why', async () => {
  deletion('panther', () => Promise.reject(new ApiError(503, 'Unavailable', 'A part is down')));
  closeToast(newest()?.id ?? 0);
  await vi.waitFor(() => expect(newest()?.text).toBe('“panther” was not deleted. A part is down'));
  expect(newest()?.kind).toBe('error');
  expect(isLeaving('panther')).toBe(false);
});
