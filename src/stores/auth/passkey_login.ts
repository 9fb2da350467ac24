// Logs in with a passkey: a key of WebAuthn that the device keeps.
import { startAuthentication } from '@simplewebauthn/browser';
import { logInWithPasskey, startPasskeyLogin } from '#contract/login_endpoints.ts';
import type { PasskeyLogin } from '#contract/passkey.ts';
import { callPublic } from '../api.ts';
import { passkeyErrorText } from '../passkey_error.ts';
import { logInBy } from '../session.ts';

/** Lets the device sign a new challenge of the API. @throws an error for `passkeyErrorText` */
export async function signWithPasskey(): Promise<PasskeyLogin> {
  return startAuthentication({ optionsJSON: await callPublic(startPasskeyLogin) });
}

/** Logs in with a passkey, as `logInBy` does. */
export function submitPasskeyLogin(): Promise<string | null> {
  return logInBy(
    async (header) => callPublic(logInWithPasskey, { header, body: await signWithPasskey() }),
    passkeyErrorText,
  );
}
