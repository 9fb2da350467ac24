import {
  type CommonSettings,
  type Fetcher,
  type FetcherStore,
  type KeyInput,
  type NanoqueryArgs,
  nanoquery,
} from '@nanostores/query';

type QueryCache = NonNullable<NanoqueryArgs['cache']>;
type QueryCacheEntry = QueryCache extends Map<string, infer Value> ? Value : never;

/** What was read stays when reading it again fails: that must not close what is open. */
class StaleOnErrorCache extends Map<string, QueryCacheEntry> {
  override set(key: string, value: QueryCacheEntry): this {
    return super.set(
      key,
      value.error === undefined ? value : { ...value, data: this.get(key)?.data },
    );
  }
}

const [createFetcherStore, , queryKeys] = nanoquery({
  cache: new StaleOnErrorCache(),
  // Clients book while the tab is in the background.
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  dedupeTime: 1000,
  // What a change answered would be dropped after seconds, and the page with it at the next reading.
  cacheLifetime: Number.POSITIVE_INFINITY,
  // A person is told and tries again.
  onErrorRetry: null,
});

/** The noun first, then what narrows it, such as `['appointments', 'one', $openId]`. */
type QueryKey = readonly [noun: string, ...Extract<KeyInput, readonly unknown[]>[number][]];

/** Joins the parts of a key; no part holds a line break. */
const SEPARATOR = '\n';

/** Counts what was changed, so that a reading knows when its answer is older than a change. */
let changeCount = 0;

/**
 * What the studio reads, cached by its key while the page is open. The fetcher is called with the
 * key's parts. An answer that was on its way while something changed is asked for again.
 */
export function createQuery<T>(
  key: QueryKey,
  { fetcher, ...settings }: CommonSettings<T> & { fetcher: Fetcher<T> },
): FetcherStore<T> {
  // The library joins the parts with nothing between: `me` and a token would begin like `messages`.
  const [noun, ...rest] = key;
  const separated = [noun, ...rest.flatMap((part) => [SEPARATOR, part])];
  const store = createFetcherStore<T>(separated, {
    ...settings,
    fetcher: async (...all) => {
      const parts = all.filter((_, index) => index % 2 === 0);
      for (;;) {
        const before = changeCount;
        const answer = await fetcher(...parts);
        if (before === changeCount) return answer;
      }
    },
  });
  const { mutate, revalidate } = store;
  return Object.assign(store, {
    mutate: (data?: T) => {
      changeCount += 1;
      mutate(data);
    },
    revalidate: () => {
      changeCount += 1;
      revalidate();
    },
  });
}

/** Something was changed on the server: what is being read now may be without it. */
export function markRunningQueriesStale(): void {
  changeCount += 1;
}

/** Reads everything about a noun again, or only what further parts of the key narrow it to. */
export function revalidate(noun: string, ...parts: readonly string[]): void {
  changeCount += 1;
  queryKeys.revalidateKeys(matchesKey(noun, ...parts));
}

/** Sets what is known of a noun, also where no store holds its key now. */
export function mutateCache(noun: string, data: unknown): void {
  changeCount += 1;
  queryKeys.mutateCache(matchesKey(noun), data);
}

function matchesKey(...parts: readonly string[]): (key: string) => boolean {
  const start = parts.join(SEPARATOR);
  return (key) => key === start || key.startsWith(start + SEPARATOR);
}
