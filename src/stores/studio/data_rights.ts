// Exports of an artist's or a client's data, and the requests of clients about their data.
import { onMount } from 'nanostores';
import type { ClientRecord } from '#contract/client.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { ClientExport, Export } from '#contract/export.ts';
import type { DataRequestKind } from '#domain/clients/data_request.ts';
import { showFailureToast } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { attempt, createQuery } from './queries.ts';

/** How often the progress of a running export is loaded. */
const POLL_MS = 2000;

/** The artist's last exports, the newest first. */
export const $exports = createQuery(['exports'], () => callAsArtist(endpoints.listExports));

// Follows an export while the page is visible.
onMount($exports, () => {
  const timer = setInterval(() => {
    const { data, loading } = $exports.get();
    const isShown = document.visibilityState === 'visible';
    if (isShown && !loading && data?.data.some(isUnfinished)) $exports.revalidate();
  }, POLL_MS);
  return () => clearInterval(timer);
});

export function isUnfinished({ state }: Pick<Export, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** Starts an export of everything. Shows an error. */
export function exportEverything(): Promise<boolean> {
  return attempt('Not exported.', ['exports'], () => callAsArtist(endpoints.startExport));
}

/** Deletes an export with its file. Shows success or the error. */
export function removeExport({ id }: Pick<Export, 'id'>): Promise<boolean> {
  return attempt('Not deleted.', ['exports'], async () => {
    await callAsArtist(endpoints.deleteExport, { path: { export_id: id } });
    showSuccessToast('Deleted.', 'Nobody can download this copy any more.');
  });
}

/** Loads all data of a client. Returns null after an error, which is shown. */
export function fetchClientExport({ id }: Pick<ClientRecord, 'id'>): Promise<ClientExport | null> {
  const path = { client_id: id };
  return callAsArtist(endpoints.exportClient, { path }).catch((error: unknown) => {
    showFailureToast(error, 'Their data was not downloaded.');
    return null;
  });
}

export const DATA_REQUEST_LABELS: Record<DataRequestKind, string> = {
  copy: 'A copy of their data',
  erasure: 'The erasure of their data',
};

const MAX_ON_HOME = 5;

/** Requests that are not done: the oldest ones, and the count of all. */
export const $dataRequests = createQuery(['data-requests'], () =>
  callAsArtist(endpoints.listDataRequests, { query: { limit: MAX_ON_HOME } }),
);

/** Marks a client's request as done. Shows success or the error. */
export function finishDataRequest(clientId: string, requestId: string): Promise<boolean> {
  return attempt('Not marked.', ['data-requests', 'clients'], async () => {
    const path = { client_id: clientId, request_id: requestId };
    await callAsArtist(endpoints.markDataRequestDone, { path });
    showSuccessToast('Done.', 'The page of their appointment says so.');
  });
}
