import { WebAuthnError } from '@simplewebauthn/browser';
import { expect, test } from 'vitest';
import { passkeyErrorText } from '#stores/passkey_error.ts';

const webAuthnError = (code: WebAuthnError['code'], name = 'Error') =>
  new WebAuthnError({ message: 'English of the library', code, cause: new Error(), name });

test.each([
  [webAuthnError('ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'), /has a passkey of your account/],
  [webAuthnError('ERROR_INVALID_DOMAIN'), /do not work at this address/],
  [webAuthnError('ERROR_INVALID_RP_ID'), /do not work at this address/],
  [webAuthnError('ERROR_CEREMONY_ABORTED', 'AbortError'), /No passkey was used/],
  [new DOMException('', 'NotAllowedError'), /No passkey was used/],
])('%s is reported in plain words', (error, text) => {
  expect(passkeyErrorText(error)).toMatch(text);
});
