import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $clientId,
  $clientReceived,
  clientList,
  clientUrl,
  mergeClient,
  readUrl,
} from '#stores/studio/clients.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
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
  respond = () => toListed(ROSA);
  calls = stubApi((call) => respond(call));
  history.replaceState(null, '', '/studio/clients');
  readUrl();
});

test('the page, the search and the open client are in the URL', () => {
  history.replaceState(null, '', '/studio/clients?search=ros&skip=50&id=rosa');
  readUrl();
  expect([clientList.$view.get(), clientList.$typed.get(), $clientId.get()]).toEqual([
    { search: 'ros', skip: 50 },
    'ros',
    'rosa',
  ]);
  expect(clientUrl('other')).toBe('/studio/clients?search=ros&skip=50&id=other');
  expect(clientUrl(null)).toBe('/studio/clients?search=ros&skip=50');
});

test.each(['-1', '1.5', 'x', '1e99'])('a URL with skip=%j shows the first page', (skip) => {
  history.replaceState(null, '', `/studio/clients?skip=${skip}`);
  readUrl();
  expect(clientList.$view.get().skip).toBe(0);
  expect(clientUrl(null)).toBe('/studio/clients');
});

test('a list that is opened anew forgets a search that still waits for a pause', () => {
  vi.useFakeTimers();
  clientList.search('ro');
  clientList.open({ search: '', skip: 0 });
  vi.advanceTimersByTime(1000);
  expect([clientList.$typed.get(), clientList.$view.get().search]).toEqual(['', '']);
});

test('a search is debounced by 300 ms, trimmed, and starts on the first page', () => {
  vi.useFakeTimers();
  clientList.goTo(50);
  clientList.search('ro');
  vi.advanceTimersByTime(299);
  clientList.search(' rosa ');
  vi.advanceTimersByTime(299);
  expect(clientList.$typed.get()).toBe(' rosa ');
  expect(clientList.$view.get()).toEqual({ search: '', skip: 50 });
  vi.advanceTimersByTime(1);
  expect(clientList.$view.get()).toEqual({ search: 'rosa', skip: 0 });
  expect(location.search).toBe('?search=rosa');
});

test('the previous page of clients stays visible while the next one loads', async () => {
  const { $list } = clientList;
  const read = { ...$list, revalidate: clientList.$query.revalidate };
  expect((await reloadStore(read)).data).toMatchObject(toListed(ROSA));
  const next = Promise.withResolvers<object>();
  respond = () => next.promise;
  clientList.goTo(50);
  await vi.waitFor(() => expect(calls.at(-1)?.query.get('skip')).toBe('50'));
  expect($list.get()).toMatchObject({ loading: true, data: toListed(ROSA) });
  next.resolve({ data: [], count: 1 });
  await vi.waitFor(() => expect($list.get().data).toMatchObject({ data: [], count: 1 }));
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

const MERGED = { id: 'merge', client: ROSA, undo_until: '2026-12-01T13:00:00Z' };

test('Undo undoes a merge', async () => {
  respond = ({ method }) => (method === 'POST' ? MERGED : toListed());
  await mergeClient({ id: 'rosa', name: 'Rosa Quint' }, { id: 'twin', name: 'R. Quint' });
  const [toast] = $toasts.get();
  expect([toast?.title, toast?.text, toast?.action?.label]).toEqual([
    'Merged.',
    'The appointments of R. Quint are with Rosa Quint now.',
    'Undo',
  ]);
  respond = ({ method }) => (method === 'POST' ? ROSA : toListed());
  toast?.action?.run();
  await expect.poll(toastTexts).toContain('Undone. There are two clients again.');
  const posts = calls.filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    ['clients/rosa/merge', { client_id: 'twin' }],
    ['clients/merges/merge/undo', {}],
  ]);
});
