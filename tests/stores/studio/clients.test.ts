import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $clientId,
  $clientReceived,
  $clients,
  $search,
  $searchInput,
  $skip,
  clientUrl,
  goToPage,
  readUrl,
  reloadClients,
  setSearch,
} from '#stores/studio/clients.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { createAppointment, createClient, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const ROSA = createClient({ next_appointment: '2026-12-03T15:00:00Z' });

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object | 'lost' | Promise<object>;

beforeEach(() => {
  startSession('one');
  respond = () => toListed(ROSA);
  calls = stubApi((call) => respond(call));
  history.replaceState(null, '', '/studio/clients');
  readUrl();
});

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
