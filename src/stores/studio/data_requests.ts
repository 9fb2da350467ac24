// What clients ask for about their data: a copy of it, or its erasure.
import { listDataRequests, markDataRequestDone } from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { attempt } from './attempt.ts';
import { createQuery } from './queries.ts';

const MAX_ON_HOME = 5;

/** What is not done: the oldest ones, and the count of all. */
export const $dataRequests = createQuery(['data-requests'], () =>
  callAsArtist(listDataRequests, { query: { limit: MAX_ON_HOME } }),
);

/** Marks what a client asked for as done. Shows success or the error. */
export function finishDataRequest(clientId: string, requestId: string): Promise<boolean> {
  return attempt('Not marked.', ['data-requests', 'clients'], async () => {
    const path = { client_id: clientId, request_id: requestId };
    await callAsArtist(markDataRequestDone, { path });
    showSuccessToast('Done.', 'The page of their appointment says so.');
  });
}
