// The artist's login in this browser: the access token, and API requests with the token.
import { persistentAtom, setPersistentEngine } from '@nanostores/persistent';
import { type CallArguments, call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';
import type { CallInput, Endpoint, Transport } from '#contract/endpoint.ts';
import { logOut as logOutEndpoint } from '#contract/login_endpoints.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import { apiOrigin } from './api.ts';
import { localItems } from './browser_storage.ts';

const NO_STORAGE_TEXT =
  'This browser stores nothing for our site, so it cannot keep you logged in. Allow its cookies and site data in the browser’s settings, or use another browser.';

try {
  // Throws where storage is off: Firefox has null there, which the library would use as the storage.
  localStorage.getItem('');
} catch {
  // Keeps the token only in memory.
  setPersistentEngine({}, { addEventListener() {}, removeEventListener() {} });
}

/** The access token, in localStorage, so that all tabs share it. */
export const $token = persistentAtom<string | undefined>('access_token', undefined);

/**
 * The item with the token by which the API knows this browser after its first login. It stays after a logout, so
 * that the artist can log in here while a stranger guesses the password.
 */
const DEVICE_TOKEN_KEY = 'device_token';

interface DeviceHeader {
  readonly 'device-token'?: string;
  readonly 'time-zone'?: string;
}

/** The headers of a login that tell whether the account knows this browser, and the time zone of the device. */
export function deviceHeader(): DeviceHeader {
  const token = localItems.getText(DEVICE_TOKEN_KEY);
  const zone = deviceTimeZone();
  return {
    ...(token !== null && { 'device-token': token }),
    ...(zone !== null && { 'time-zone': zone }),
  };
}

/** Saves the token by which the API knows this browser. */
export function saveDeviceToken(token: string): void {
  localItems.setText(DEVICE_TOKEN_KEY, token);
}

const expiryListeners = new Set<() => void>();
/** Whether this page has ended the session itself: then `expiryListeners` are not called. */
let hasLoggedOut = false;
$token.listen((token) => {
  if (token === undefined && !hasLoggedOut) for (const listener of expiryListeners) listener();
});

let http: Transport | null = null;

/** Calls an endpoint of the API with the access token, if there is one. @throws as `call` does */
export function callAsArtist<Input extends CallInput, Output>(
  endpoint: Endpoint<Input, Output>,
  ...args: CallArguments<Input>
): Promise<Output> {
  http ??= createHttpTransport(apiOrigin(), {
    bearer: { getToken: () => $token.get() ?? '', onUnauthorized: expireToken },
  });
  return call(http, endpoint, ...args);
}

interface LoginTokens {
  readonly access_token: string;
  readonly device_token: string;
}

/** Logs in every tab with the tokens that `send` gets from the API. @returns the error's text; null after a success */
export async function logInBy(
  send: (header: DeviceHeader) => Promise<LoginTokens>,
  toErrorText: (error: unknown) => string,
): Promise<string | null> {
  // No login if this browser could not store it, because its storage is off or full. The probe is longer than a token.
  if (!localItems.setText('linework:probe', ' '.repeat(999))) return NO_STORAGE_TEXT;
  localItems.setJson('linework:probe', null);
  try {
    const { access_token, device_token } = await send(deviceHeader());
    saveDeviceToken(device_token);
    startSession(access_token);
    return null;
  } catch (error) {
    return toErrorText(error);
  }
}

/** Saves the token of a login, for every tab. */
export function startSession(token: string): void {
  hasLoggedOut = false;
  $token.set(token);
}

/** Logs out every tab. The API ends the token, even if the browser leaves the page meanwhile. */
export function logOut(): void {
  const token = $token.get();
  endSession();
  if (token === undefined) return;
  const transport = createHttpTransport(apiOrigin(), { bearer: { getToken: () => token } });
  // Without an answer, the artist finds the login in the list of logins.
  call(transport, logOutEndpoint).catch(() => {});
}

/** Removes the token, which logs out every tab, when the API has ended it. */
export function endSession(): void {
  hasLoggedOut = true;
  $token.set(undefined);
}

/**
 * Calls `listener` when the API refused the token or another tab logged out, but not after
 * `endSession` on this page. The listener can save the drafts of forms.
 * @returns the function that removes the listener
 */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

function expireToken(refusedToken: string): void {
  // Another tab may have logged in again, with another token, before the response arrived.
  if (refusedToken !== '' && $token.get() === refusedToken) $token.set(undefined);
}
