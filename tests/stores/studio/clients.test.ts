import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClientRecord } from '#contract/client.ts';
import { startSession } from '#stores/session.ts';
import {
  $client,
  $clientAppointments,
  $clientId,
  $clients,
  $exportProgress,
  $search,
  $searchInput,
  $skip,
  clientUrl,
  fetchAllClients,
  goToPage,
  readUrl,
  reloadClients,
  saveClient,
  setSearch,
} from '#stores/studio/clients.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const ROSA: ClientRecord = {
  ...createAppointment({}).client,
  notes: '',
  email_failed_at: null,
  appointment_count: 1,
  last_appointment: null,
  next_appointment: '2026-12-03T15:00:00Z',
  created_at: '2026-11-01T12:00:00Z',
};

let calls: ApiCall[];
let answer: (call: ApiCall) => Response | object | 'lost' | Promise<object>;

beforeEach(() => {
  startSession('one');
  $toasts.set([]);
  answer = () => toListed(ROSA);
  calls = stubApi((call) => answer(call));
  history.replaceState(null, '', '/studio/clients');
  readUrl();
});
afterEach(() => vi.useRealTimers());

test('the address says which page, search and client are shown', () => {
  history.replaceState(null, '', '/studio/clients?search=ros&skip=50&id=rosa');
  readUrl();
  expect([$search.get(), $searchInput.get(), $skip.get(), $clientId.get()]).toEqual([
    'ros',
    'ros',
    50,
    'rosa',
  ]);
  expect(clientUrl('other')).toBe('/studio/clients?search=ros&skip=50&id=other');
  expect(clientUrl(null)).toBe('/studio/clients?search=ros&skip=50');
});

test.each(['-1', '1.5', 'x', '1e99'])('an address with a page of %j shows the first', (skip) => {
  history.replaceState(null, '', `/studio/clients?skip=${skip}`);
  readUrl();
  expect($skip.get()).toBe(0);
  expect(clientUrl(null)).toBe('/studio/clients');
});

test('a search begins once typing pauses, on the first page, and trimmed', () => {
  vi.useFakeTimers();
  goToPage(50);
  setSearch('ro');
  vi.advanceTimersByTime(299);
  setSearch(' rosa ');
  vi.advanceTimersByTime(299);
  expect([$search.get(), $skip.get(), $searchInput.get()]).toEqual(['', 50, ' rosa ']);
  vi.advanceTimersByTime(1);
  expect([$search.get(), $skip.get(), location.search]).toEqual(['rosa', 0, '?search=rosa']);
});

test('the clients before stay on show until the next page is there', async () => {
  const read = { ...$clients, revalidate: reloadClients };
  expect((await reloadStore(read)).data).toEqual(toListed(ROSA));
  const next = Promise.withResolvers<object>();
  answer = () => next.promise;
  goToPage(50);
  await vi.waitFor(() => expect(calls.at(-1)?.query.get('skip')).toBe('50'));
  expect($clients.get()).toMatchObject({ loading: true, data: toListed(ROSA) });
  next.resolve({ data: [], count: 1 });
  await vi.waitFor(() => expect($clients.get().data).toEqual({ data: [], count: 1 }));
});

test('a client’s page reads the client and their appointments, and not the list', async () => {
  $clientId.set(ROSA.id);
  answer = ({ path }) => (path.startsWith('clients/') ? ROSA : toListed(createAppointment({})));
  expect((await reloadStore($client)).data).toEqual(ROSA);
  expect((await reloadStore($clientAppointments)).data?.count).toBe(1);
  expect(new Set(calls.map(({ path }) => path))).toEqual(
    new Set([`clients/${ROSA.id}`, `appointments/by_client/${ROSA.id}`]),
  );
});

test('saved notes are shown at once and named in the message', async () => {
  $clientId.set(ROSA.id);
  answer = () => ROSA;
  await reloadStore($client);
  answer = ({ body }) => ({ ...ROSA, ...body });
  await saveClient(ROSA.id, { notes: 'Allergic to latex' });
  expect($client.get().data?.notes).toBe('Allergic to latex');
  await saveClient(ROSA.id, { first_name: 'Rose' });
  expect(toastTexts()).toEqual(['Saved. Your notes are kept.', 'Saved. The details were changed.']);
});

test('an export reads all pages of all clients, whatever is searched for', async () => {
  $search.set('nobody');
  const heard: unknown[] = [];
  const stop = $exportProgress.listen((progress) => heard.push(progress));
  answer = ({ query }) => {
    const skip = Number(query.get('skip'));
    const length = Math.min(200, 250 - skip);
    const data = Array.from({ length }, (_, at) => ({ ...ROSA, id: `client ${skip + at}` }));
    return { data, count: 250 };
  };
  expect(await fetchAllClients()).toHaveLength(250);
  stop();
  expect(heard).toEqual([
    { done: 0, total: 0 },
    { done: 200, total: 250 },
    { done: 250, total: 250 },
    null,
  ]);
  expect(calls.map(({ query }) => query.get('search'))).toEqual([null, null]);
});

test('an export that fails is told, and gives nothing', async () => {
  answer = () => problemResponse(503, 'Busy');
  expect(await fetchAllClients()).toBeNull();
  expect(toastTexts()).toEqual(['Something went wrong. The clients were not exported. Busy']);
  expect($exportProgress.get()).toBeNull();
});
