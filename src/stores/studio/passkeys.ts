// The passkeys of the artist: keys of WebAuthn that devices keep.
import { startRegistration } from '@simplewebauthn/browser';
import { ApiError } from '#client/call.ts';
import { addPasskey, listPasskeys, removePasskey, startPasskey } from '#contract/endpoints.ts';
import type { Passkey } from '#contract/passkey.ts';
import { passkeyErrorText } from '../passkey_error.ts';
import { callAsArtist } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { attempt } from './attempt.ts';
import { createQuery, revalidate } from './queries.ts';

export const $passkeys = createQuery<readonly Passkey[]>(
  ['passkeys'],
  async () => (await callAsArtist(listPasskeys)).data,
);

/**
 * Makes a passkey on this device and adds it to the account. Shows success, or an error of the device.
 * @returns whether it was added
 * @throws ApiError, with status 400 for a wrong password
 */
export async function createPasskey(current_password: string): Promise<boolean> {
  const optionsJSON = await callAsArtist(startPasskey, { body: { current_password } });
  try {
    await callAsArtist(addPasskey, { body: await startRegistration({ optionsJSON }) });
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) throw error;
    showErrorToast('Not added.', passkeyErrorText(error));
    return false;
  }
  revalidate('passkeys');
  revalidate('security-events');
  showSuccessToast('Added.', 'You can log in with this passkey now.');
  return true;
}

/** Removes a passkey from the account. Shows success or the error. */
export function deletePasskey({ id }: Passkey): Promise<boolean> {
  return attempt('Not removed.', ['passkeys', 'security-events'], async () => {
    await callAsArtist(removePasskey, { path: { passkey_id: id } });
    showSuccessToast('Removed.', 'Nobody can log in with this passkey any more.');
  });
}
