// The clients page of the studio: the list with its search, one client, and the export.
import { atom, computed } from 'nanostores';
import type { ClientChanges, ClientRecord } from '#contract/client.ts';
import * as endpoints from '#contract/endpoints.ts';
import { sumByCurrency } from '#domain/money/payment.ts';
import { showFailureToast } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { fetchClientAppointments } from './booked_appointments.ts';
import { attempt, createQueryOf, fetchAllPages } from './queries.ts';
import { createSearchedList, pageUrl, parseListView } from './searched_list.ts';

export const CLIENT_APPOINTMENTS_PER_PAGE = 20;

/** The client whose page is open; null while the list is shown. */
export const $clientId = atom<string | null>(null);

const fetchClients = (query: { search?: string; skip: number; limit: number }) =>
  callAsArtist(endpoints.listClients, { query });

/** All clients. The shown page and the search are in the URL. */
export const clientList = createSearchedList('clients', 50, fetchClients, () =>
  history.replaceState(history.state, '', clientUrl(null)),
);

/** Clients to choose from for a new appointment; the newest ones if the search is empty. */
export const foundClients = createSearchedList('clients', 5, fetchClients);

/** Clients to choose the other client of a merge from. */
export const mergeCandidates = createSearchedList('clients', 9, fetchClients);

export const $client = createQueryOf($clientId, ['clients', 'one'], (client_id) =>
  callAsArtist(endpoints.fetchClient, { path: { client_id } }),
);

/** The number of appointments on the pages before the shown one. */
export const $appointmentsSkip = atom(0);

/** The appointments of the client whose page is open, newest first. */
export const $clientAppointments = createQueryOf(
  computed([$clientId, $appointmentsSkip], (client_id, skip) =>
    client_id === null ? null : { client_id, skip },
  ),
  ['appointments', 'client'],
  ({ client_id, skip }) => {
    const query = { skip, limit: CLIENT_APPOINTMENTS_PER_PAGE };
    return callAsArtist(endpoints.listClientAppointments, { path: { client_id }, query });
  },
);

/** The payments received from the open client, one sum for each currency. */
export const $clientReceived = createQueryOf(
  $clientId,
  ['appointments', 'received'],
  async (client_id) =>
    sumByCurrency((await fetchClientAppointments(client_id)).flatMap(({ payments }) => payments)),
);

/** Restores the list or the client's page from the URL. */
export function readUrl(): void {
  const params = new URLSearchParams(location.search);
  clientList.open(parseListView(params));
  $clientId.set(params.get('id'));
}

/** The URL of a client's page, or of the list for null. Both keep the search and `skip`. */
export function clientUrl(clientId: string | null): string {
  return pageUrl(location.pathname, { ...clientList.$view.get(), id: clientId });
}

/** Changes a client's details or notes, and shows success. After an error, loads the client again. @throws ApiError */
export async function saveClient(id: string, changes: ClientChanges): Promise<ClientRecord> {
  const client = await callAsArtist(endpoints.changeClient, {
    path: { client_id: id },
    body: changes,
  }).catch((error: unknown) => {
    $client.revalidate();
    throw error;
  });
  $client.mutate(client);
  const text = 'notes' in changes ? 'Your notes are kept.' : 'The details were changed.';
  showSuccessToast('Saved.', text);
  return client;
}

const CLIENT_RESOURCES = ['clients', 'appointments', 'data-requests'] as const;

/** Erases a client's personal data for good. Shows success or the error. */
export function eraseClientData({ id }: Pick<ClientRecord, 'id'>): Promise<boolean> {
  const resources = ['messages', 'mails', 'exports', ...CLIENT_RESOURCES] as const;
  return attempt('Not erased.', resources, async () => {
    await callAsArtist(endpoints.eraseClient, { path: { client_id: id } });
    showSuccessToast('Erased.', 'Their personal data are gone.');
  });
}

/** How many clients the export has loaded, and how many exist; null while no export runs. */
export const $exportProgress = atom<{ done: number; total: number } | null>(null);

/** Loads all clients, whatever the search. Returns null after an error, which is shown. */
export async function fetchAllClients(): Promise<readonly ClientRecord[] | null> {
  $exportProgress.set({ done: 0, total: 0 });
  try {
    return await fetchAllPages(fetchClients, (done, total) => $exportProgress.set({ done, total }));
  } catch (error) {
    showFailureToast(error, 'The clients were not exported.');
    return null;
  } finally {
    $exportProgress.set(null);
  }
}

interface NamedClient {
  readonly id: string;
  readonly name: string;
}

/** Merges another client into one. Shows success with Undo, or the error. */
export function mergeClient(remaining: NamedClient, other: NamedClient): Promise<boolean> {
  return attempt('They were not merged.', CLIENT_RESOURCES, async () => {
    const path = { client_id: remaining.id };
    const body = { client_id: other.id };
    const { id } = await callAsArtist(endpoints.mergeClients, { path, body });
    const text = `The appointments of ${other.name} are with ${remaining.name} now.`;
    showSuccessToast('Merged.', text, { label: 'Undo', run: () => void undoMerge(id) });
  });
}

/** Undoes a merge. Shows success, or the error. */
export function undoMerge(merge_id: string): Promise<boolean> {
  return attempt('They stay merged.', CLIENT_RESOURCES, async () => {
    await callAsArtist(endpoints.undoClientMerge, { path: { merge_id } });
    showSuccessToast('Undone.', 'There are two clients again.');
  });
}
