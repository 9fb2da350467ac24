// Where the artist is logged in, and what happened to the safety of their account.
import type { SecurityEvent, Session } from '#contract/account_security.ts';
import {
  endOtherSessions,
  endSession,
  listSecurityEvents,
  listSessions,
} from '#contract/endpoints.ts';
import { callAsArtist, startSession } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { attempt } from './attempt.ts';
import { createQuery } from './queries.ts';

/** The page shows so many events; older ones are in the API. */
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

const runOrShowError = (change: () => Promise<void>) =>
  attempt('Not logged out', ['sessions', 'security-events'], change);

/** Logs out another browser. Shows success or the error. */
export function endLogin({ id }: Session): Promise<boolean> {
  return runOrShowError(async () => {
    await callAsArtist(endSession, { path: { session_id: id } });
    showSuccessToast('Logged out.', 'That browser has to log in again.');
  });
}

/** Logs out all other browsers. Shows success or the error. */
export function endOtherLogins(): Promise<boolean> {
  return runOrShowError(async () => {
    const { access_token } = await callAsArtist(endOtherSessions);
    startSession(access_token);
    showSuccessToast('Logged out.', 'Only this browser is still logged in.');
  });
}
