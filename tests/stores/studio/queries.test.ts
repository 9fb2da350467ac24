import { atom } from 'nanostores';
import { expect, it } from 'vitest';
import { ApiError } from '#client/call.ts';
import {
  attempt,
  createQuery,
  createQueryOf,
  fetchAllPages,
  markRunningQueriesStale,
  revalidate,
} from '#stores/studio/queries.ts';
import { $toasts } from '#stores/toasts.ts';

let queries = 0;

/** A query with a new key; the test resolves each of its fetches. */
function createTestQuery() {
  queries += 1;
  const key = ['services', `query ${queries}`] as const;
  const fetches: PromiseWithResolvers<string>[] = [];
  const store = createQuery<string>(
    key,
    () => {
      const fetching = Promise.withResolvers<string>();
      fetches.push(fetching);
      return fetching.promise;
    },
    { dedupeTime: 0 },
  );
  store.listen(() => {});
  return { key, store, fetches };
}

const flushPromises = () => new Promise((resolve) => setTimeout(resolve, 0));

it('data stays visible when revalidation fails, and during the next attempt', async () => {
  const { key, store, fetches } = createTestQuery();
  fetches[0]?.resolve('one');
  await flushPromises();
  revalidate(key);
  fetches[1]?.reject(new Error('offline'));
  await flushPromises();
  expect(store.get().data).toBe('one');
  revalidate(key);
  await flushPromises();
  expect(store.get()).toMatchObject({ data: 'one', loading: true });
});

it('a query that ran during a change is fetched again', async () => {
  const { store, fetches } = createTestQuery();
  markRunningQueriesStale();
  fetches[0]?.resolve('old');
  await flushPromises();
  expect(fetches).toHaveLength(2);
  fetches[1]?.resolve('new');
  await flushPromises();
  expect(store.get().data).toBe('new');
});

it('a mutated value is not overwritten by an older fetch', async () => {
  const { store, fetches } = createTestQuery();
  fetches[0]?.resolve('one');
  await flushPromises();
  store.revalidate();
  store.mutate('changed');
  fetches[1]?.resolve('one');
  await flushPromises();
  expect(store.get().data).toBe('changed');
  expect(fetches).toHaveLength(3);
});

it('keys whose joined parts are equal are different queries', async () => {
  const store = (part: string, input: number, data: string) => {
    const query = createQueryOf(atom(input), ['clients', part], async () => data);
    query.listen(() => {});
    return query;
  };
  const list = store('list', 12, 'page 12');
  const other = store('list1', 2, 'another list');
  await flushPromises();
  expect([list.get().data, other.get().data]).toEqual(['page 12', 'another list']);
});

it('a query follows the value of its store, and loads nothing without one', async () => {
  const $id = atom<{ readonly id: string } | null>(null);
  const fetched: string[] = [];
  const query = createQueryOf($id, ['clients', 'follows'], async ({ id }) => {
    fetched.push(id);
    return `client ${id}`;
  });
  query.listen(() => {});
  await flushPromises();
  expect(fetched).toEqual([]);
  $id.set({ id: 'one' });
  await expect.poll(() => query.get().data).toBe('client one');
  $id.set({ id: 'two' });
  // The reload is still about the value before.
  revalidate('clients');
  await expect.poll(() => query.get().data).toBe('client two');
  expect(new Set(fetched)).toEqual(new Set(['one', 'two']));
});

it('revalidating a key prefix fetches only the queries below it', async () => {
  const fetched: string[] = [];
  for (const part of ['list', 'listed', 'one'])
    createQueryOf(
      atom(7),
      ['portfolio', part],
      async (input) => {
        fetched.push(`${part} ${input}`);
        return part;
      },
      { dedupeTime: 0 },
    ).listen(() => {});
  await flushPromises();
  fetched.length = 0;
  revalidate(['portfolio', 'list']);
  await flushPromises();
  expect(fetched).toEqual(['list 7']);
});

it.each([
  ['the network returns', () => dispatchEvent(new Event('online'))],
  [
    'the page is visible again',
    () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  ],
])('a query that failed is fetched again when %s', async (_, happen) => {
  const { store, fetches } = createTestQuery();
  fetches[0]?.reject(new Error('offline'));
  await flushPromises();
  expect(store.get().error).toBeInstanceOf(Error);
  happen();
  fetches[1]?.resolve('one');
  await flushPromises();
  expect(store.get()).toMatchObject({ data: 'one', loading: false });
});

const toastTitles = () => $toasts.get().map(({ title }) => title);

it('a change that fails shows why until the next one, and what it may have changed is loaded again', async () => {
  let loads = 0;
  const stop = createQuery(['sessions'], async () => {
    loads += 1;
    return loads;
  }).listen(() => {});
  await expect.poll(() => loads).toBe(1);
  const failing = attempt('Not saved.', ['sessions'], () => Promise.reject(new TypeError()));
  expect(await failing).toBe(false);
  expect(toastTitles()).toEqual(['The connection was lost.']);
  await expect.poll(() => loads).toBe(2);
  await attempt('Not saved.', [], () => Promise.reject(new ApiError(409, '', 'Taken.')));
  expect(toastTitles()).toEqual(['Not saved.']);
  expect(await attempt('Not saved.', ['sessions'], async () => {})).toBe(true);
  expect(toastTitles()).toEqual([]);
  stop();
});

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `row ${at}` }));

it('all pages of a list are fetched, with progress', async () => {
  const all = rows(450);
  const progress: string[] = [];
  const read = await fetchAllPages(
    async ({ skip, limit }) => ({ data: all.slice(skip, skip + limit), count: all.length }),
    (done, total) => progress.push(`${done} of ${total}`),
  );
  expect(read).toEqual(all);
  expect(progress).toEqual(['200 of 450', '400 of 450', '450 of 450']);
});

it('a row that moves to the next page during the fetch is returned once', async () => {
  let all = rows(250);
  const read = await fetchAllPages(async ({ skip, limit }) => {
    const page = { data: all.slice(skip, skip + limit), count: all.length };
    all = [{ id: 'newcomer' }, ...all];
    return page;
  });
  expect(read).toEqual(rows(250));
});
