// Where the artist is logged in, and what happened to the safety of their account.
import type { SecurityEvent, Session } from '#contract/account_security.ts';
import {
  endOtherSessions,
  endSession,
  listSecurityEvents,
  listSessions,
} from '#contract/endpoints.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { callAsArtist, startSession } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createQuery, revalidate } from './queries.ts';

/** The page shows this many events; older ones are in the API. */
const SHOWN_EVENTS = 20;

/** The browsers that are logged in, the last used first. */
export const $sessions = createQuery<readonly Session[]>(
  ['sessions'],
  async () => (await callAsArtist(listSessions)).data,
);

/** The last events, the newest first. */
export const $securityEvents = createQuery<readonly SecurityEvent[]>(
  ['security-events'],
  async () => (await callAsArtist(listSecurityEvents, { query: { limit: SHOWN_EVENTS } })).data,
);

/** Reloads the lists, after an error too: a lost response may hide a success. */
async function reloadAfter(change: () => Promise<void>): Promise<void> {
  await change().finally(() => {
    for (const resource of ['sessions', 'security-events']) revalidate(resource);
  });
}

/** Logs out another browser. Shows success. @throws ApiError, with status 400 for a wrong password */
export function endLogin({ id }: Session, proof: OwnerProof): Promise<void> {
  return reloadAfter(async () => {
    await callAsArtist(endSession, { path: { session_id: id }, body: proof });
    showSuccessToast('Logged out.', 'That browser has to log in again.');
  });
}

/** Logs out all other browsers. Shows success. @throws ApiError, with status 400 for a wrong password */
export function endOtherLogins(proof: OwnerProof): Promise<void> {
  return reloadAfter(async () => {
    const { access_token } = await callAsArtist(endOtherSessions, { body: proof });
    startSession(access_token);
    showSuccessToast('Logged out.', 'Only this browser is still logged in.');
  });
}
