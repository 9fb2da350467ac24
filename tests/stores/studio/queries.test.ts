import { expect, it } from 'vitest';
import { createQuery, markRunningQueriesStale, revalidate } from '#stores/studio/queries.ts';

let resources = 0;

/** A query of a new resource; the test resolves each of its fetches. */
function createTestQuery() {
  resources += 1;
  const resource = `resource-${resources}`;
  const fetches: PromiseWithResolvers<string>[] = [];
  const store = createQuery<string>(
    [resource],
    () => {
      const fetching = Promise.withResolvers<string>();
      fetches.push(fetching);
      return fetching.promise;
    },
    { dedupeTime: 0 },
  );
  store.listen(() => {});
  return { resource, store, fetches };
}

const flushPromises = () => new Promise((resolve) => setTimeout(resolve, 0));

it('data stays visible when revalidation fails, and during the next attempt', async () => {
  const { resource, store, fetches } = createTestQuery();
  fetches[0]?.resolve('one');
  await flushPromises();
  revalidate(resource);
  fetches[1]?.reject(new Error('offline'));
  await flushPromises();
  expect(store.get().data).toBe('one');
  revalidate(resource);
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
  fetches[2]?.resolve('changed');
  await flushPromises();
  expect(store.get().data).toBe('changed');
});

it('keys whose joined parts are equal are different queries', async () => {
  const store = (key: [string, ...string[]], data: string) => {
    const query = createQuery<string>(key, async () => data);
    query.listen(() => {});
    return query;
  };
  const list = store(['parts', 'list', '12'], 'page 12');
  const other = store(['parts', 'list1', '2'], 'another list');
  await flushPromises();
  expect([list.get().data, other.get().data]).toEqual(['page 12', 'another list']);
});

it('revalidating a key prefix fetches only the queries below it', async () => {
  const fetched: string[] = [];
  for (const part of ['list', 'listed', 'one'])
    createQuery<string>(
      ['narrow', part, '7'],
      async (...parts) => {
        fetched.push(parts.join(' '));
        return part;
      },
      { dedupeTime: 0 },
    ).listen(() => {});
  await flushPromises();
  fetched.length = 0;
  revalidate('narrow', 'list');
  await flushPromises();
  expect(fetched).toEqual(['narrow list 7']);
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
