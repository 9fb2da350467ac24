import { expect, onTestFinished, vi } from 'vitest';
import { startSession } from '#stores/session.ts';

interface QueryStore<T> {
  readonly get: () => { readonly data?: T; readonly error?: unknown; readonly loading: boolean };
  readonly listen: (listener: () => void) => () => void;
  readonly revalidate: () => void;
}

/** Reads a store of the studio anew, and keeps it in use until the test is over. */
export async function reloadStore<T>(store: QueryStore<T>) {
  onTestFinished(store.listen(() => {}));
  await waitForQueryKeys();
  store.revalidate();
  return waitForLoaded(store);
}

/** Another login, for which every store of the studio is read again. */
export async function logInAgain(): Promise<void> {
  startSession(crypto.randomUUID());
  await waitForQueryKeys();
}

/** Nanostores computes the key of a query in a timer after its parts have changed. */
export async function waitForQueryKeys(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** What a store holds once nothing is being read for it. */
export async function waitForLoaded<T>(store: Pick<QueryStore<T>, 'get'>) {
  await vi.waitFor(() => expect(store.get().loading).toBe(false), { timeout: 20_000 });
  return store.get();
}
