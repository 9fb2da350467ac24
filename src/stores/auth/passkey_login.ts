// Logs in with a passkey: a key of WebAuthn that the device keeps.
import { startAuthentication } from '@simplewebauthn/browser';
import { logInWithPasskey, startPasskeyLogin } from '#contract/account_endpoints.ts';
import type { PasskeyLogin } from '#contract/passkey.ts';
import { callPublic } from '../api.ts';
import { passkeyErrorText } from '../passkey_error.ts';
import { deviceHeader, saveDeviceToken, startSession } from '../session.ts';

/** Lets the device sign a new challenge of the API. @throws an error for `passkeyErrorText` */
export async function signWithPasskey(): Promise<PasskeyLogin> {
  return startAuthentication({ optionsJSON: await callPublic(startPasskeyLogin) });
}

/** Logs in, also in other browser tabs. @returns the text of the error; null after a success */
export async function submitPasskeyLogin(): Promise<string | null> {
  try {
    const { access_token, device_token } = await callPublic(logInWithPasskey, {
      header: deviceHeader(),
      body: await signWithPasskey(),
    });
    saveDeviceToken(device_token);
    startSession(access_token);
    return null;
  } catch (error) {
    return passkeyErrorText(error);
  }
}
