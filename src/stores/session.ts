import { persistentAtom } from '@nanostores/persistent';
import { createHttpTransport, type Transport } from '#client/http.ts';

/** Where the access token is held (specification, section 9); other tabs see it change. */
export const $token = persistentAtom<string | undefined>('access_token', undefined);

const listeners = new Set<() => void>();
let isLeaving = false;
$token.listen((token) => {
  if (token === undefined && !isLeaving) for (const listener of listeners) listener();
});

let connection: Transport | null = null;

/** The artist's connection to the API: their token goes along when one is held. */
export function artistApi(): Transport {
  connection ??= createHttpTransport(document.documentElement.dataset['api'] ?? '', undefined, {
    getToken: () => $token.get() ?? '',
    onUnauthorized: expire,
  });
  return connection;
}

/** Logged in: here, and in every other tab. */
export function signIn(token: string): void {
  isLeaving = false;
  $token.set(token);
}

/** Logged out everywhere in this browser. */
export function signOut(): void {
  isLeaving = true;
  $token.set(undefined);
}

/**
 * Calls back when the token is gone and it was not logging out on this page: the API no longer took
 * it, here or in another tab. What was typed can still be kept.
 * @returns stops listening
 */
export function onExpiry(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function expire(refused: string): void {
  // Another tab may have logged in anew while the answer was on its way.
  if (refused !== '' && $token.get() === refused) $token.set(undefined);
}
