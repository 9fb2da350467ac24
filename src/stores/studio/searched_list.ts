// Lists with pages and a search.
import type { FetcherValue } from '@nanostores/query';
import { atom, computed } from 'nanostores';
import type { ListPage } from '#contract/common.ts';
import { MAX_SEARCH_LENGTH } from '#domain/requests/list_limits.ts';
import { whenTypingPauses } from '../typing.ts';
import { createQueryOf, type Resource } from './queries.ts';

/** The view of a list: a search, and the number of items on the pages before the shown one. */
interface ListView {
  readonly search: string;
  readonly skip: number;
}

type PageQuery = ListView & { readonly limit: number };

/** A loaded page, with the query that it answers. */
type ShownPage<Item> = ListPage<Item> & PageQuery;

/** The view that a URL's parameters name. */
export function parseListView(params: URLSearchParams): ListView {
  const skip = Number(params.get('skip'));
  return {
    search: (params.get('search') ?? '').slice(0, MAX_SEARCH_LENGTH),
    skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0,
  };
}

/** The URL of a page of the studio with these parameters; those that are null, '' or 0 are left out. */
export function pageUrl(path: string, params: Record<string, string | number | null>): string {
  const given = Object.entries(params).filter(([, value]) => value);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * A list with pages and a search, which begins when the typing pauses.
 * @param limit the number of items on a page
 * @param onShow called after the artist has chosen another page or search
 */
export function createSearchedList<Item>(
  resource: Resource,
  limit: number,
  load: (query: PageQuery) => Promise<ListPage<Item>>,
  onShow: () => void = () => {},
) {
  const $typed = atom('');
  const $view = atom<ListView>({ search: '', skip: 0 });
  const $query = createQueryOf(
    computed($view, (view) => ({ ...view, limit })),
    [resource, 'list'],
    async (query) => ({ ...(await load(query)), ...query }),
  );
  let lastLoaded: ShownPage<Item> | undefined;
  /** While another page or search loads, the last loaded one stays. */
  const $list = computed($query, (query): FetcherValue<ShownPage<Item>> => {
    if (query.data) lastLoaded = query.data;
    return query.loading && lastLoaded ? { ...query, data: lastLoaded } : query;
  });
  function show(view: ListView): void {
    $view.set(view);
    onShow();
  }
  const applySearch = whenTypingPauses((text) => show({ search: text.trim(), skip: 0 }));
  return {
    resource,
    limit,
    $typed,
    $view,
    $query,
    $list,
    /** Shows a view at once, such as that of the URL. */
    open(view: ListView): void {
      applySearch.cancel();
      $typed.set(view.search);
      $view.set(view);
    },
    /** Searches for the typed text when the typing pauses. */
    search(text: string): void {
      $typed.set(text);
      applySearch(text);
    },
    /** Shows another page, from its top. */
    goTo(skip: number): void {
      show({ ...$view.get(), skip });
      scrollTo({ top: 0 });
    },
  };
}
export type SearchedList<Item> = ReturnType<typeof createSearchedList<Item>>;
