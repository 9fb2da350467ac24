// @vitest-environment happy-dom

import { expect, it } from 'vitest';
import {
  createQuery,
  markRunningQueriesStale,
  mutateCache,
  revalidate,
} from '#stores/studio/queries.ts';

let last = 0;

/** A reading of a noun of its own, whose answers a test gives in turn. */
function aReading() {
  last += 1;
  const noun = `noun-${last}`;
  const asked: PromiseWithResolvers<string>[] = [];
  const store = createQuery<string>([noun], {
    dedupeTime: 0,
    fetcher: () => {
      const answer = Promise.withResolvers<string>();
      asked.push(answer);
      return answer.promise;
    },
  });
  store.listen(() => {});
  return { noun, store, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it('what was read stays when reading it again fails, and while it is tried once more', async () => {
  const { noun, store, asked } = aReading();
  asked[0]?.resolve('one');
  await settled();
  revalidate(noun);
  asked[1]?.reject(new Error('offline'));
  await settled();
  expect(store.get().data).toBe('one');
  revalidate(noun);
  await settled();
  expect(store.get()).toMatchObject({ data: 'one', loading: true });
});

it('an answer that was on its way while something changed is asked for again', async () => {
  const { store, asked } = aReading();
  markRunningQueriesStale();
  asked[0]?.resolve('old');
  await settled();
  expect(asked).toHaveLength(2);
  asked[1]?.resolve('new');
  await settled();
  expect(store.get().data).toBe('new');
});

it('what a change answered is not written over by an older reading', async () => {
  const { store, asked } = aReading();
  asked[0]?.resolve('one');
  await settled();
  store.revalidate();
  store.mutate('changed');
  asked[1]?.resolve('one');
  await settled();
  expect(store.get().data).toBe('changed');
  asked[2]?.resolve('changed');
  await settled();
  expect(store.get().data).toBe('changed');
});

it('invalidating a noun leaves a longer noun that begins with it alone', async () => {
  const asked: string[] = [];
  const reading = (noun: string, ...rest: string[]) => {
    const store = createQuery<string>([noun, ...rest], {
      dedupeTime: 0,
      fetcher: async () => {
        asked.push(noun);
        return noun;
      },
    });
    store.listen(() => {});
    return store;
  };
  const me = reading('me', 'token');
  const messages = reading('messages', 'list');
  await settled();
  mutateCache('me', 'changed');
  expect([me.get().data, messages.get().data]).toEqual(['changed', 'messages']);
  asked.length = 0;
  revalidate('me');
  await settled();
  expect(asked).toEqual(['me']);
});

it('two parts of a key are never taken for one longer part', async () => {
  const store = (key: [string, ...string[]], data: string) => {
    const made = createQuery<string>(key, { fetcher: async () => data });
    made.listen(() => {});
    return made;
  };
  const list = store(['parts', 'list', '12'], 'page 12');
  const other = store(['parts', 'list1', '2'], 'another list');
  await settled();
  expect([list.get().data, other.get().data]).toEqual(['page 12', 'another list']);
});

it('the parts of a key below its noun narrow what is read again', async () => {
  const asked: string[] = [];
  for (const part of ['list', 'listed', 'one'])
    createQuery<string>(['narrow', part, '7'], {
      dedupeTime: 0,
      fetcher: async (...parts) => {
        asked.push(parts.join(' '));
        return part;
      },
    }).listen(() => {});
  await settled();
  asked.length = 0;
  revalidate('narrow', 'list');
  await settled();
  expect(asked).toEqual(['narrow list 7']);
});
