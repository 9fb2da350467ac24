import { atom, computed } from 'nanostores';
import { listClientAppointments } from '#client/appointments.ts';
import { changeClient, fetchClient, listClients } from '#client/clients.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ClientChanges, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { reasonOf } from '../reason.ts';
import { artistApi } from '../session.ts';
import { tellError, tellSuccess } from '../toasts.ts';
import { createReading } from './queries.ts';
import { readWholeList } from './whole_list.ts';

/** One page of the list. */
export const CLIENTS_LIMIT = 50;
/** One page of a client's appointments. */
export const APPOINTMENTS_LIMIT = 20;
/** As long as nobody types on. */
const PAUSE_MS = 300;

/** What is in the search field. */
export const $typedSearch = atom('');
/** What is looked for. */
export const $search = atom('');
export const $skip = atom(0);
/** Whose page is open; null while the list is. */
export const $clientId = atom<string | null>(null);

const $listKey = computed([$skip, $search, $clientId], (skip, search, id) =>
  id === null ? `${skip}/${search}` : null,
);

let lastList: ListPage<ClientRecord> | undefined;

const $read = createReading<ListPage<ClientRecord>>(['clients', 'list', $listKey], {
  fetcher: () =>
    listClients(artistApi(), { search: $search.get(), skip: $skip.get(), limit: CLIENTS_LIMIT }),
});

/** A page of the clients who were found; the one before stays until the next is there. */
export const $clients = computed($read, (value) => {
  if (value.data) lastList = value.data;
  return value.loading && lastList ? { ...value, data: lastList } : value;
});

export function retryClients(): void {
  $read.revalidate();
}

/** The client whose page is open. */
export const $client = createReading<ClientRecord>(['clients', 'one', $clientId], {
  fetcher: (_noun, _one, id) => fetchClient(artistApi(), String(id)),
});

export const $appointmentsSkip = atom(0);

/** Their appointments, newest first. */
export const $appointmentsOfClient = createReading<ListPage<Appointment>>(
  ['appointments', 'client', $clientId, $appointmentsSkip],
  {
    fetcher: (_noun, _client, id) =>
      listClientAppointments(artistApi(), String(id), {
        skip: $appointmentsSkip.get(),
        limit: APPOINTMENTS_LIMIT,
      }),
  },
);

/** Takes from the page's address what to show. */
export function readAddress(): void {
  const query = new URLSearchParams(location.search);
  const skip = Number(query.get('skip') ?? 0);
  $search.set(query.get('search') ?? '');
  $typedSearch.set($search.get());
  $skip.set(Number.isSafeInteger(skip) && skip > 0 ? skip : 0);
  $clientId.set(query.get('id'));
}

/** The address of a client's page, which remembers where in the list one was. */
export function addressOf(clientId: string | null): string {
  const query = new URLSearchParams();
  if ($search.get() !== '') query.set('search', $search.get());
  if ($skip.get() > 0) query.set('skip', String($skip.get()));
  if (clientId !== null) query.set('id', clientId);
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

let pause: ReturnType<typeof setTimeout> | undefined;

/** Looks for part of a name, email or phone number once typing pauses. */
export function search(text: string): void {
  $typedSearch.set(text);
  clearTimeout(pause);
  pause = setTimeout(() => showPage(text.trim(), 0), PAUSE_MS);
}

export function turnTo(skip: number): void {
  showPage($search.get(), skip);
  scrollTo({ top: 0 });
}

function showPage(text: string, skip: number): void {
  $search.set(text);
  $skip.set(skip);
  history.replaceState(history.state, '', addressOf(null));
}

/** Changes what is known of a client. @throws what the API refused */
export async function saveClient(id: string, changes: ClientChanges): Promise<ClientRecord> {
  const client = await changeClient(artistApi(), id, changes);
  $client.mutate(client);
  tellSuccess('Saved.', 'notes' in changes ? 'Your notes are kept.' : 'The details were changed.');
  return client;
}

/** How far the reading of all clients is; null while nobody asked for it. */
export const $allRead = atom<{ done: number; total: number } | null>(null);

/** All clients, whatever is looked for; null when they could not be read, which is then told. */
export async function readAllClients(): Promise<readonly ClientRecord[] | null> {
  $allRead.set({ done: 0, total: 0 });
  try {
    return await readWholeList(
      (page) => listClients(artistApi(), page),
      (done, total) => $allRead.set({ done, total }),
    );
  } catch (error) {
    tellError('Something went wrong.', `The clients were not exported. ${reasonOf(error)}`);
    return null;
  } finally {
    $allRead.set(null);
  }
}
