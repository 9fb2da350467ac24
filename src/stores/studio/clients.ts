import { atom, computed } from 'nanostores';
import { listClientAppointments } from '#client/appointments.ts';
import { changeClient, fetchClient, listClients } from '#client/clients.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ClientChanges, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { errorText } from '../error_text.ts';
import { artistApi } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { fetchAllPages } from './all_pages.ts';
import { createQuery } from './queries.ts';

/** One page of the list. */
export const CLIENTS_PER_PAGE = 50;
/** One page of a client's appointments. */
export const CLIENT_APPOINTMENTS_PER_PAGE = 20;
/** As long as nobody types on. */
const SEARCH_DEBOUNCE_MS = 300;

/** What is in the search field. */
export const $searchInput = atom('');
/** What is looked for. */
export const $search = atom('');
export const $skip = atom(0);
/** Whose page is open; null while the list is. */
export const $clientId = atom<string | null>(null);

const $listKey = computed([$skip, $search, $clientId], (skip, search, id) =>
  id === null ? `${skip}/${search}` : null,
);

let lastList: ListPage<ClientRecord> | undefined;

const $clientList = createQuery<ListPage<ClientRecord>>(['clients', 'list', $listKey], {
  fetcher: () =>
    listClients(artistApi(), { search: $search.get(), skip: $skip.get(), limit: CLIENTS_PER_PAGE }),
});

/** A page of the clients who were found; the one before stays until the next is there. */
export const $clients = computed($clientList, (value) => {
  if (value.data) lastList = value.data;
  return value.loading && lastList ? { ...value, data: lastList } : value;
});

export function reloadClients(): void {
  $clientList.revalidate();
}

/** The client whose page is open. */
export const $client = createQuery<ClientRecord>(['clients', 'one', $clientId], {
  fetcher: (_noun, _one, id) => fetchClient(artistApi(), String(id)),
});

export const $appointmentsSkip = atom(0);

/** Their appointments, newest first. */
export const $clientAppointments = createQuery<ListPage<Appointment>>(
  ['appointments', 'client', $clientId, $appointmentsSkip],
  {
    fetcher: (_noun, _client, id) =>
      listClientAppointments(artistApi(), String(id), {
        skip: $appointmentsSkip.get(),
        limit: CLIENT_APPOINTMENTS_PER_PAGE,
      }),
  },
);

/** Takes from the page's address what to show. */
export function readUrl(): void {
  const query = new URLSearchParams(location.search);
  const skip = Number(query.get('skip') ?? 0);
  $search.set(query.get('search') ?? '');
  $searchInput.set($search.get());
  $skip.set(Number.isSafeInteger(skip) && skip > 0 ? skip : 0);
  $clientId.set(query.get('id'));
}

/** The address of a client's page, which remembers where in the list one was. */
export function clientUrl(clientId: string | null): string {
  const query = new URLSearchParams();
  if ($search.get() !== '') query.set('search', $search.get());
  if ($skip.get() > 0) query.set('skip', String($skip.get()));
  if (clientId !== null) query.set('id', clientId);
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

let searchTimer: ReturnType<typeof setTimeout> | undefined;

/** Looks for part of a name, email or phone number once typing pauses. */
export function setSearch(text: string): void {
  $searchInput.set(text);
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => applyListParams(text.trim(), 0), SEARCH_DEBOUNCE_MS);
}

export function goToPage(skip: number): void {
  applyListParams($search.get(), skip);
  scrollTo({ top: 0 });
}

function applyListParams(text: string, skip: number): void {
  $search.set(text);
  $skip.set(skip);
  history.replaceState(history.state, '', clientUrl(null));
}

/** Changes what is known of a client. @throws what the API refused */
export async function saveClient(id: string, changes: ClientChanges): Promise<ClientRecord> {
  const client = await changeClient(artistApi(), id, changes);
  $client.mutate(client);
  showSuccessToast(
    'Saved.',
    'notes' in changes ? 'Your notes are kept.' : 'The details were changed.',
  );
  return client;
}

/** How far the reading of all clients is; null while nobody asked for it. */
export const $exportProgress = atom<{ done: number; total: number } | null>(null);

/** All clients, whatever is looked for; null when they could not be read, which is then told. */
export async function fetchAllClients(): Promise<readonly ClientRecord[] | null> {
  $exportProgress.set({ done: 0, total: 0 });
  try {
    return await fetchAllPages(
      (page) => listClients(artistApi(), page),
      (done, total) => $exportProgress.set({ done, total }),
    );
  } catch (error) {
    showErrorToast('Something went wrong.', `The clients were not exported. ${errorText(error)}`);
    return null;
  } finally {
    $exportProgress.set(null);
  }
}
