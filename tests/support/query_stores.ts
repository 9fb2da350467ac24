import { expect, onTestFinished, vi } from 'vitest';
import { startSession } from '#stores/session.ts';

interface QueryStore<T> {
  readonly get: () => { readonly data?: T; readonly error?: unknown; readonly loading: boolean };
  readonly listen: (listener: () => void) => () => void;
  readonly revalidate: () => void;
}

/** Reloads a store of the studio and stays subscribed to it until the test ends. */
export async function reloadStore<T>(store: QueryStore<T>) {
  onTestFinished(store.listen(() => {}));
  await waitForQueryKeys();
  store.revalidate();
  return waitForLoaded(store);
}

/** Starts a new session, which reloads every store of the studio. */
export async function logInAgain(): Promise<void> {
  startSession(crypto.randomUUID());
  await waitForQueryKeys();
}

/** Nanostores recomputes the key of a query in a timer after a part of it changes. */
export async function waitForQueryKeys(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** Waits until a store has finished loading. */
export async function waitForLoaded<T>(store: Pick<QueryStore<T>, 'get'>) {
  await vi.waitFor(() => expect(store.get().loading).toBe(false), { timeout: 20_000 });
  return store.get();
}
