import { persistentAtom } from '@nanostores/persistent';
import { createHttpTransport, type Transport } from '#client/http.ts';

/** Where the access token is held (specification, section 9); other tabs see it change. */
export const $token = persistentAtom<string | undefined>('access_token', undefined);

const expiryListeners = new Set<() => void>();
let isLoggingOut = false;
$token.listen((token) => {
  if (token === undefined && !isLoggingOut) for (const listener of expiryListeners) listener();
});

let http: Transport | null = null;

/** The artist's connection to the API: their token goes along when one is held. */
export function artistApi(): Transport {
  http ??= createHttpTransport(document.documentElement.dataset['api'] ?? '', undefined, {
    getToken: () => $token.get() ?? '',
    onUnauthorized: expireToken,
  });
  return http;
}

/** Logged in: here, and in every other tab. */
export function startSession(token: string): void {
  isLoggingOut = false;
  $token.set(token);
}

/** Logged out everywhere in this browser. */
export function endSession(): void {
  isLoggingOut = true;
  $token.set(undefined);
}

/**
 * Calls back when the token is gone and it was not logging out on this page: the API no longer took
 * it, here or in another tab. What was typed can still be kept.
 * @returns stops listening
 */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

function expireToken(refused: string): void {
  // Another tab may have logged in anew while the answer was on its way.
  if (refused !== '' && $token.get() === refused) $token.set(undefined);
}
