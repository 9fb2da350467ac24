// Queries: stores that load data from the API and share it in a cache while the page is open. Changes say
// which of them to load again.
import {
  type CommonSettings,
  type Fetcher,
  type FetcherStore,
  type KeyInput,
  type NanoqueryArgs,
  nanoquery,
} from '@nanostores/query';
import { computed, type ReadableAtom } from 'nanostores';
import { ApiError } from '#client/call.ts';
import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { showFailureToast } from '../error_text.ts';
import { closeErrorToasts } from '../toasts.ts';

/** The library does not export the type of its cache's entries. */
type QueryCacheEntry =
  NonNullable<NanoqueryArgs['cache']> extends Map<string, infer Value> ? Value : never;

/** Keeps old data when a reload fails, so that an error does not replace forms on the page. */
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

/** The artist's resources in the API: the first part of the keys of queries. */
export type Resource =
  | 'admin-actions'
  | 'admin-artists'
  | 'admin-errors'
  | 'admin-jobs'
  | 'admin-mails'
  | 'admin-server'
  | 'alarm'
  | 'appointments'
  | 'belongings'
  | 'blocked'
  | 'clients'
  | 'data-requests'
  | 'designs'
  | 'exports'
  | 'mails'
  | 'me'
  | 'messages'
  | 'passkeys'
  | 'payments'
  | 'portfolio'
  | 'security-events'
  | 'services'
  | 'sessions'
  | 'setup-progress';

/** The resource, and which part of it, such as `['appointments', 'one']`. */
type QueryKey = readonly [resource: Resource, part?: string];

/** Joins the parts of a key; no part holds a line break. */
const SEPARATOR = '\n';

/** How often data was changed or reloaded on this page, so that a query notices it during its request. */
let changeCount = 0;

/**
 * Creates a query, cached by its key.
 * @param fetcher called again if data was changed or reloaded during its request, because the response
 *   may be older
 */
export function createQuery<T>(
  key: QueryKey,
  fetcher: () => Promise<T>,
  settings: CommonSettings<T> = {},
): FetcherStore<T> {
  return createStore(key.join(SEPARATOR), fetcher, settings);
}

/**
 * Creates a query of the present value of a store, cached by its key and that value.
 * @param $input while it holds null or undefined, the query loads nothing
 * @param fetcher as in `createQuery`; receives the value
 */
export function createQueryOf<T, Input>(
  $input: ReadableAtom<Input | null | undefined>,
  key: QueryKey,
  fetcher: (input: Input) => Promise<T>,
  settings: CommonSettings<T> = {},
): FetcherStore<T> {
  /** The values by their JSON, which is in the key: a reload may still be about an earlier value. */
  const inputs = new Map<string, Input>();
  const $text = computed($input, (input) => {
    if (input === null || input === undefined) return null;
    const text = JSON.stringify(input);
    inputs.set(text, input);
    return text;
  });
  const fetchByText = (_key: unknown, text: unknown) => {
    const input = inputs.get(String(text));
    if (input === undefined) throw new TypeError(`No value has the text ${text}`);
    return fetcher(input);
  };
  // The library joins both parts without a separator.
  return createStore([key.join(SEPARATOR) + SEPARATOR, $text], fetchByText, settings);
}

function createStore<T>(
  key: KeyInput,
  fetcher: Fetcher<T>,
  settings: CommonSettings<T>,
): FetcherStore<T> {
  const store = createFetcherStore<T>(key, {
    ...settings,
    fetcher: async (...values) => {
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

/** Reloads the shown queries of resources, or of one part of a resource; the hidden ones when next shown. */
export function revalidate(...resources: readonly (Resource | QueryKey)[]): void {
  for (const resource of resources) {
    changeCount += 1;
    const key = typeof resource === 'string' ? resource : resource.join(SEPARATOR);
    queryCache.revalidateKeys(matchesKey(key));
  }
}

/** Makes a change, then reloads resources. After an error, too: a lost response may hide a success. */
export async function thenReload<T>(
  resources: readonly Resource[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } finally {
    revalidate(...resources);
  }
}

/** Runs `thenReload`, and shows an error under `failureTitle`. @returns whether the change was made */
export async function attempt(
  failureTitle: string,
  resources: readonly Resource[],
  change: () => Promise<unknown>,
): Promise<boolean> {
  closeErrorToasts();
  try {
    await thenReload(resources, change);
    return true;
  } catch (error) {
    showFailureToast(error, failureTitle);
    return false;
  }
}

/** Sets the data of all cached queries of a resource, even those that nothing on the page shows. */
export function mutateCache(resource: Resource, data: unknown): void {
  changeCount += 1;
  queryCache.mutateCache(matchesKey(resource), data);
}

/** Whether a key is `prefix`, or begins with its parts: a test for the library. */
function matchesKey(prefix: string): (key: string) => boolean {
  return (key) => key === prefix || key.startsWith(prefix + SEPARATOR);
}

/** For `.catch()`: turns the API's error 404 into null, and throws every other error again. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** Reads a whole list, page by page; `onProgress` is called after each page. */
export async function fetchAllPages<T extends { readonly id: string }>(
  fetchPage: (page: { skip: number; limit: number }) => Promise<ListPage<T>>,
  onProgress: (readCount: number, totalCount: number) => void = () => {},
): Promise<readonly T[]> {
  // Drops repeats: an item added meanwhile can push one that was already read to the next page.
  const items = new Map<string, T>();
  let totalCount = Number.POSITIVE_INFINITY;
  for (let skip = 0; skip < totalCount; skip += MAX_PAGE_SIZE) {
    const { data, count } = await fetchPage({ skip, limit: MAX_PAGE_SIZE });
    for (const item of data) items.set(item.id, item);
    totalCount = count;
    onProgress(items.size, totalCount);
  }
  return [...items.values()];
}
