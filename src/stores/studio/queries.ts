import {
  type CommonSettings,
  type Fetcher,
  type FetcherStore,
  type KeyInput,
  type NanoqueryArgs,
  nanoquery,
} from '@nanostores/query';

type Cache = NonNullable<NanoqueryArgs['cache']>;
type Cached = Cache extends Map<string, infer Value> ? Value : never;

/** What was read stays when reading it again fails: that must not close what is open. */
class KeptCache extends Map<string, Cached> {
  override set(key: string, value: Cached): this {
    return super.set(
      key,
      value.error === undefined ? value : { ...value, data: this.get(key)?.data },
    );
  }
}

const [createFetcherStore, , keys] = nanoquery({
  cache: new KeptCache(),
  // Clients book while the tab is in the background.
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  dedupeTime: 1000,
  // What a change answered would be dropped after seconds, and the page with it at the next reading.
  cacheLifetime: Number.POSITIVE_INFINITY,
  // A person is told and tries again.
  onErrorRetry: null,
});

/** Counts what was changed, so that a reading knows when its answer is older than a change. */
let changes = 0;

/**
 * What the studio reads, kept by keys while the page is open. A key's first part is the noun
 * (`services`). An answer that was on its way while something changed is asked for again.
 */
export function createReading<T>(
  key: KeyInput,
  { fetcher, ...settings }: CommonSettings<T> & { fetcher: Fetcher<T> },
): FetcherStore<T> {
  const store = createFetcherStore<T>(key, {
    ...settings,
    fetcher: async (...parts) => {
      for (;;) {
        const before = changes;
        const answer = await fetcher(...parts);
        if (before === changes) return answer;
      }
    },
  });
  const { mutate, revalidate } = store;
  return Object.assign(store, {
    mutate: (data?: T) => {
      changes += 1;
      mutate(data);
    },
    revalidate: () => {
      changes += 1;
      revalidate();
    },
  });
}

/** Something was changed on the server: what is being read now may be without it. */
export function noteChange(): void {
  changes += 1;
}

/** Reads everything about a noun again. */
export function revalidate(noun: string): void {
  changes += 1;
  keys.revalidateKeys((key) => key.startsWith(noun));
}

/** Takes over what is known of a noun, also where no store holds its key now. */
export function mutateCache(noun: string, data: unknown): void {
  changes += 1;
  keys.mutateCache((key) => key.startsWith(noun), data);
}
