import { WebAuthnError } from '@simplewebauthn/browser';
import { errorText } from './error_text.ts';

/** The text for a person about an error of the browser or of the API. */
export function passkeyErrorText(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : null;
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey of your account already.';
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID')
    return 'Passkeys do not work at this address of the site.';
  // The person closed the dialog of their device, or took too long.
  const isOfBrowser = error instanceof DOMException || error instanceof WebAuthnError;
  if (isOfBrowser && (error.name === 'NotAllowedError' || error.name === 'AbortError'))
    return 'No passkey was used. Try again, or use your password.';
  return errorText(error);
}
