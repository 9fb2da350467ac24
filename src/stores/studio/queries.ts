// Queries: stores that load data from the API and share it in a cache while the page is open.
import {
  type CommonSettings,
  type Fetcher,
  type FetcherStore,
  type KeyInput,
  type NanoqueryArgs,
  nanoquery,
} from '@nanostores/query';
import { ApiError } from '#client/call.ts';

type QueryCacheEntry =
  NonNullable<NanoqueryArgs['cache']> extends Map<string, infer Value> ? Value : never;

/** Keeps the old data when a reload fails, so that an error does not replace forms on the page. */
class StaleOnErrorCache extends Map<string, QueryCacheEntry> {
  override set(key: string, entry: QueryCacheEntry): this {
    if (entry.error === undefined) return super.set(key, entry);
    return super.set(key, { ...entry, data: this.get(key)?.data });
  }
}

const [createFetcherStore, , queryCache] = nanoquery({
  cache: new StaleOnErrorCache(),
  // Clients may book while the artist looks at another tab.
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  // Data younger than this many milliseconds is not loaded again.
  dedupeTime: 1000,
  // Expired data would vanish from the page while it is loaded again.
  cacheLifetime: Number.POSITIVE_INFINITY,
  // No automatic retry: the page shows the error with a button to try again.
  onErrorRetry: null,
});

/** A value, or a store of one. While it holds null, undefined or false, the query loads nothing. */
type KeyPart = Extract<KeyInput, readonly unknown[]>[number];

/** The resource, then parts that narrow it, such as `['appointments', 'one', $openId]`. */
type QueryKey = readonly [resource: string, ...KeyPart[]];

/** Joins the parts of a key; no part holds a line break. */
const SEPARATOR = '\n';

/** Counts calls that change or reload data, so that a query notices one during its request. */
let changeCount = 0;

/**
 * Creates a query, cached by its key.
 * @param fetcher receives the values of the key's parts; called again if data was changed or
 *   reloaded during its request, because the response may be older
 */
export function createQuery<T>(
  key: QueryKey,
  fetcher: Fetcher<T>,
  settings: CommonSettings<T> = {},
): FetcherStore<T> {
  // The query package joins parts without a separator: `['a', 'bc']` would equal `['ab', 'c']`.
  const [resource, ...otherParts] = key;
  const separatedKey = [resource, ...otherParts.flatMap((part) => [SEPARATOR, part])];
  const store = createFetcherStore<T>(separatedKey, {
    ...settings,
    fetcher: async (...separatedValues) => {
      // Every second value is a separator.
      const values = separatedValues.filter((_, index) => index % 2 === 0);
      for (;;) {
        const countBefore = changeCount;
        const data = await fetcher(...values);
        if (changeCount === countBefore) return data;
      }
    },
  });
  const { mutate, revalidate: revalidateStore } = store;
  return Object.assign(store, {
    mutate: (data?: T) => {
      changeCount += 1;
      mutate(data);
    },
    revalidate: () => {
      // During a request, `revalidateStore` does nothing; the new count makes `fetcher` run again.
      changeCount += 1;
      revalidateStore();
    },
  });
}

/** Repeats the running requests: their data may be older than a change that was just sent. */
export function markRunningQueriesStale(): void {
  changeCount += 1;
}

/** Reloads the shown queries whose keys begin with these parts; the hidden ones when next shown. */
export function revalidate(resource: string, ...parts: readonly string[]): void {
  changeCount += 1;
  queryCache.revalidateKeys(matchesKey(resource, ...parts));
}

/** Sets the data of all cached queries of a resource, even those that nothing on the page shows. */
export function mutateCache(resource: string, data: unknown): void {
  changeCount += 1;
  queryCache.mutateCache(matchesKey(resource), data);
}

/** Returns a test of whether a key consists of these parts or begins with them. */
function matchesKey(...parts: readonly string[]): (key: string) => boolean {
  const prefix = parts.join(SEPARATOR);
  return (key) => key === prefix || key.startsWith(prefix + SEPARATOR);
}

/** For `.catch()`: turns the API's error 404 into null, and throws every other error again. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
