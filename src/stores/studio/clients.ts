// The clients page of the studio: the list with its search, one client, and the export.
import { atom, computed } from 'nanostores';
import type { ClientChanges, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import {
  changeClient,
  eraseClient,
  fetchClient,
  listClientAppointments,
  listClients,
} from '#contract/endpoints.ts';
import { sumByCurrency } from '#domain/payment.ts';
import { showFailureToast } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { whenTypingPauses } from '../typing.ts';
import { fetchAllPages } from './all_pages.ts';
import { attempt } from './attempt.ts';
import { createQuery } from './queries.ts';

export const CLIENTS_PER_PAGE = 50;
export const CLIENT_APPOINTMENTS_PER_PAGE = 20;

/** The text in the search field; the list follows when the artist stops typing. */
export const $searchInput = atom('');
/** The text that the list is searched for. */
export const $search = atom('');
/** The number of clients on the pages before the shown one. */
export const $skip = atom(0);
/** The client whose page is open; null while the list is shown. */
export const $clientId = atom<string | null>(null);

/** null while a client's page is open: a query with null in its key loads nothing. */
const $listKey = computed([$skip, $search, $clientId], (skip, search, clientId) =>
  clientId === null ? `${skip}/${search}` : null,
);

const $clientList = createQuery(['clients', 'list', $listKey], () =>
  callAsArtist(listClients, {
    query: { search: $search.get(), skip: $skip.get(), limit: CLIENTS_PER_PAGE },
  }),
);

let lastLoadedPage: ListPage<ClientRecord> | undefined;

/** The shown page of the list. While another page loads, the last loaded page stays. */
export const $clients = computed($clientList, (query) => {
  if (query.data) lastLoadedPage = query.data;
  return query.loading && lastLoadedPage ? { ...query, data: lastLoadedPage } : query;
});

export function reloadClients(): void {
  $clientList.revalidate();
}

export const $client = createQuery(['clients', 'one', $clientId], (_resource, _kind, id) =>
  callAsArtist(fetchClient, { path: { client_id: String(id) } }),
);

/** The number of appointments on the pages before the shown one. */
export const $appointmentsSkip = atom(0);

/** The appointments of the client whose page is open, newest first. */
export const $clientAppointments = createQuery(
  ['appointments', 'client', $clientId, $appointmentsSkip],
  (_resource, _kind, id) =>
    callAsArtist(listClientAppointments, {
      path: { client_id: String(id) },
      query: { skip: $appointmentsSkip.get(), limit: CLIENT_APPOINTMENTS_PER_PAGE },
    }),
);

/** What the artist has received from the open client, one sum for each currency. */
export const $clientReceived = createQuery(
  ['appointments', 'received', $clientId],
  async (_resource, _kind, id) => {
    const path = { client_id: String(id) };
    const appointments = await fetchAllPages((page) =>
      callAsArtist(listClientAppointments, { path, query: page }),
    );
    return sumByCurrency(appointments.flatMap(({ payments }) => payments));
  },
);

/** Restores the list or the client's page from the URL. */
export function readUrl(): void {
  const params = new URLSearchParams(location.search);
  const skip = Number(params.get('skip') ?? 0);
  $search.set(params.get('search') ?? '');
  $searchInput.set($search.get());
  $skip.set(Number.isSafeInteger(skip) && skip > 0 ? skip : 0);
  $clientId.set(params.get('id'));
}

/** The URL of a client's page, or of the list for null. Both keep the search and `skip`. */
export function clientUrl(clientId: string | null): string {
  const params = new URLSearchParams();
  if ($search.get() !== '') params.set('search', $search.get());
  if ($skip.get() > 0) params.set('skip', String($skip.get()));
  if (clientId !== null) params.set('id', clientId);
  return params.size === 0 ? location.pathname : `${location.pathname}?${params}`;
}

const applySearch = whenTypingPauses((text) => applyListParams(text.trim(), 0));

/** Searches for a part of a name, email or phone number, when the artist stops typing. */
export function setSearch(text: string): void {
  $searchInput.set(text);
  applySearch(text);
}

export function goToPage(skip: number): void {
  applyListParams($search.get(), skip);
  scrollTo({ top: 0 });
}

/** Shows a page of the list, and writes the search and `skip` to the URL. */
function applyListParams(search: string, skip: number): void {
  $search.set(search);
  $skip.set(skip);
  history.replaceState(history.state, '', clientUrl(null));
}

/**
 * Changes a client's details or notes, and shows success. After a refusal, loads the client again.
 * @throws ApiError
 */
export async function saveClient(id: string, changes: ClientChanges): Promise<ClientRecord> {
  const client = await callAsArtist(changeClient, {
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

/** Erases a client's personal data for good. Shows success or the error. */
export function eraseClientData({ id }: Pick<ClientRecord, 'id'>): Promise<boolean> {
  const resources = ['clients', 'appointments', 'messages', 'mails', 'exports', 'data-requests'];
  return attempt('Not erased.', resources, async () => {
    await callAsArtist(eraseClient, { path: { client_id: id } });
    showSuccessToast('Erased.', 'Their personal data are gone.');
  });
}

/** How many clients the export has loaded, and how many exist; null while no export runs. */
export const $exportProgress = atom<{ done: number; total: number } | null>(null);

/** Loads all clients, whatever the search. Returns null after an error, which is shown. */
export async function fetchAllClients(): Promise<readonly ClientRecord[] | null> {
  $exportProgress.set({ done: 0, total: 0 });
  try {
    return await fetchAllPages(
      (page) => callAsArtist(listClients, { query: page }),
      (done, total) => $exportProgress.set({ done, total }),
    );
  } catch (error) {
    showFailureToast(error, 'The clients were not exported.');
    return null;
  } finally {
    $exportProgress.set(null);
  }
}
