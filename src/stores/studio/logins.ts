// The artist's sessions, passkeys and security events.
import { startRegistration } from '@simplewebauthn/browser';
import { ApiError } from '#client/call.ts';
import type { Session } from '#contract/account_security.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import type { Passkey } from '#contract/passkey.ts';
import { passkeyErrorText } from '../passkey_error.ts';
import { callAsArtist, startSession } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { attempt, createQuery, revalidate, thenReload } from './queries.ts';

/** How many events the page shows; the API has older ones. */
const SHOWN_EVENTS = 20;

export const $sessions = createQuery(['sessions'], () => callAsArtist(endpoints.listSessions));

/** The last security events, such as logins, the newest first. */
export const $securityEvents = createQuery(['security-events'], () =>
  callAsArtist(endpoints.listSecurityEvents, { query: { limit: SHOWN_EVENTS } }),
);

const LOGIN_RESOURCES = ['sessions', 'security-events'] as const;

/** Logs out another browser. Shows success. @throws ApiError, with status 400 for a wrong password */
export function endLogin({ id }: Session, proof: OwnerProof): Promise<void> {
  return thenReload(LOGIN_RESOURCES, async () => {
    await callAsArtist(endpoints.endSession, { path: { session_id: id }, body: proof });
    showSuccessToast('Logged out.', 'That browser has to log in again.');
  });
}

/** Logs out all other browsers. Shows success. @throws ApiError, with status 400 for a wrong password */
export function endOtherLogins(proof: OwnerProof): Promise<void> {
  return thenReload(LOGIN_RESOURCES, async () => {
    const { access_token } = await callAsArtist(endpoints.endOtherSessions, { body: proof });
    startSession(access_token);
    showSuccessToast('Logged out.', 'Only this browser is still logged in.');
  });
}

export const $passkeys = createQuery(['passkeys'], () => callAsArtist(endpoints.listPasskeys));

/**
 * Makes a passkey on this device and adds it to the account. Shows success, or an error of the device.
 * @returns whether it was added
 * @throws ApiError, with status 400 for a wrong password
 */
export async function createPasskey(current_password: string): Promise<boolean> {
  const optionsJSON = await callAsArtist(endpoints.startPasskey, { body: { current_password } });
  try {
    await callAsArtist(endpoints.addPasskey, { body: await startRegistration({ optionsJSON }) });
  } catch (error) {
    // The password was right, so a 400 here is about the passkey.
    if (error instanceof ApiError && error.status !== 400) throw error;
    showErrorToast('Not added.', passkeyErrorText(error));
    return false;
  }
  revalidate('passkeys', 'security-events');
  showSuccessToast('Added.', 'You can log in with this passkey now.');
  return true;
}

/** Removes a passkey from the account. Shows success or the error. */
export function deletePasskey({ id }: Passkey): Promise<boolean> {
  return attempt('Not removed.', ['passkeys', 'security-events'], async () => {
    await callAsArtist(endpoints.removePasskey, { path: { passkey_id: id } });
    showSuccessToast('Removed.', 'Nobody can log in with this passkey any more.');
  });
}
