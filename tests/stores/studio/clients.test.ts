import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $client,
  $clientAppointments,
  $clientId,
  $clientReceived,
  $clients,
  $exportProgress,
  $search,
  $searchInput,
  $skip,
  clientUrl,
  eraseClientData,
  fetchAllClients,
  goToPage,
  readUrl,
  reloadClients,
  setSearch,
} from '#stores/studio/clients.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import {
  createAppointment,
  createClient,
  toastTexts,
  toListed,
} from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const ROSA = createClient({ next_appointment: '2026-12-03T15:00:00Z' });

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object | 'lost' | Promise<object>;

beforeEach(() => {
  startSession('one');
  $toasts.set([]);
  respond = () => toListed(ROSA);
  calls = stubApi((call) => respond(call));
  history.replaceState(null, '', '/studio/clients');
  readUrl();
});
afterEach(() => vi.useRealTimers());

test('the page, the search and the open client are in the URL', () => {
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

test.each(['-1', '1.5', 'x', '1e99'])('a URL with skip=%j shows the first page', (skip) => {
  history.replaceState(null, '', `/studio/clients?skip=${skip}`);
  readUrl();
  expect($skip.get()).toBe(0);
  expect(clientUrl(null)).toBe('/studio/clients');
});

test('a search is debounced by 300 ms, trimmed, and starts on the first page', () => {
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

test('the previous page of clients stays visible while the next one loads', async () => {
  const read = { ...$clients, revalidate: reloadClients };
  expect((await reloadStore(read)).data).toEqual(toListed(ROSA));
  const next = Promise.withResolvers<object>();
  respond = () => next.promise;
  goToPage(50);
  await vi.waitFor(() => expect(calls.at(-1)?.query.get('skip')).toBe('50'));
  expect($clients.get()).toMatchObject({ loading: true, data: toListed(ROSA) });
  next.resolve({ data: [], count: 1 });
  await vi.waitFor(() => expect($clients.get().data).toEqual({ data: [], count: 1 }));
});

test('a client’s page fetches the client and their appointments, but not the list', async () => {
  $clientId.set(ROSA.id);
  respond = ({ path }) => (path.startsWith('clients/') ? ROSA : toListed(createAppointment({})));
  expect((await reloadStore($client)).data).toEqual(ROSA);
  expect((await reloadStore($clientAppointments)).data?.count).toBe(1);
  expect(new Set(calls.map(({ path }) => path))).toEqual(
    new Set([`clients/${ROSA.id}`, `appointments/by_client/${ROSA.id}`]),
  );
});

test('an export fetches all clients and reports progress, ignoring the search', async () => {
  $search.set('nobody');
  const progressSteps: unknown[] = [];
  const stop = $exportProgress.listen((progress) => progressSteps.push(progress));
  respond = ({ query }) => {
    const skip = Number(query.get('skip'));
    const length = Math.min(200, 250 - skip);
    const data = Array.from({ length }, (_, at) => ({ ...ROSA, id: `client ${skip + at}` }));
    return { data, count: 250 };
  };
  expect(await fetchAllClients()).toHaveLength(250);
  stop();
  expect(progressSteps).toEqual([
    { done: 0, total: 0 },
    { done: 200, total: 250 },
    { done: 250, total: 250 },
    null,
  ]);
  expect(calls.map(({ query }) => query.get('search'))).toEqual([null, null]);
});

test('a failed export shows an error toast and returns null', async () => {
  respond = () => problemResponse(503, 'Busy');
  expect(await fetchAllClients()).toBeNull();
  expect(toastTexts()).toEqual(['Something went wrong. The clients were not exported. Busy']);
  expect($exportProgress.get()).toBeNull();
});

test('a client who cannot be erased yet stays, and the reason is shown', async () => {
  respond = () => problemResponse(409, 'This client still has an appointment ahead.');
  await eraseClientData(ROSA);
  expect(toastTexts()).toEqual([expect.stringContaining('still has an appointment ahead')]);
});

test('what a client has paid is summed over all their appointments, by currency', async () => {
  const paid = (id: string, currency: string) => ({
    id: `payment ${id}`,
    amount: 5000,
    currency,
    method: 'cash' as const,
    received_on: '2026-11-24',
  });
  const pages = [
    createAppointment({ id: 'one', payments: [paid('one', 'USD'), paid('two', 'EUR')] }),
    createAppointment({ id: 'two', payments: [paid('three', 'USD')] }),
  ];
  respond = ({ query }) => ({ data: [pages[query.get('skip') === '0' ? 0 : 1]], count: 201 });
  $clientId.set('rosa');
  expect((await reloadStore($clientReceived)).data).toEqual([
    { currency: 'EUR', amount: 5000 },
    { currency: 'USD', amount: 10_000 },
  ]);
});
