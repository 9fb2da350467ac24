import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { pluralize } from '#domain/time/duration.ts';
import { takeChangedId } from '#stores/studio/admin.ts';
import { revalidate } from '#stores/studio/queries.ts';
import type { SearchedList } from '#stores/studio/searched_list.ts';
import type { Elements } from '../../elements.ts';
import { Spinner } from '../../Spinner.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { ListPagination } from '../Pagination.tsx';
import { SearchField } from '../SearchField.tsx';

export const PART_TITLE_ID = 'admin-part';

interface AdminListViewProps<Item extends { readonly id: string }> {
  list: SearchedList<Item>;
  /** One entry, such as `failed mail`; its plural is with an `s`. */
  noun: string;
  /** Only for a list that can be searched. */
  searchPlaceholder?: string;
  /** Shown in place of an empty list that nobody has searched. */
  empty: { title: string; text: string };
  children: (item: Item) => Elements;
}

/** A list of the operator's page, with its search and its pages. */
export function AdminListView<Item extends { readonly id: string }>(
  props: AdminListViewProps<Item>,
) {
  const { list, noun, searchPlaceholder, empty, children } = props;
  const label = `${noun}s`;
  const loaded = useStore(list.$list);
  const isBusy = useIsBusy(list);
  useEffect(() => restoreFocus(list), [loaded.data, list]);
  return (
    <>
      {searchPlaceholder && (
        <search className="block max-w-md">
          <SearchField
            list={list}
            id="admin-search"
            label={`Search ${label}`}
            placeholder={searchPlaceholder}
          >
            <p role="status" className="flex min-h-6 items-center gap-2 text-muted">
              {isBusy && <Spinner />}
              {loaded.data && <span>{formatFound(loaded.data, noun, isBusy)}</span>}
            </p>
          </SearchField>
        </search>
      )}
      <LoadableView
        value={loaded}
        label={label}
        // `admin-server` has the counts beside the names of the parts.
        onRetry={() => revalidate(list.resource, 'admin-server')}
      >
        {({ data, count, search }) => (
          <div aria-busy={isBusy} className="grid grid-cols-1 gap-5 aria-busy:opacity-60">
            {count === 0 ? (
              <EmptyState title={search === '' ? empty.title : 'Nothing found'}>
                <p>{search === '' ? empty.text : `There are no ${label} with “${search}”.`}</p>
              </EmptyState>
            ) : (
              <ul
                aria-label={capitalize(label)}
                className="card grid grid-cols-1 divide-y divide-line overflow-hidden"
              >
                {data.map((item) => (
                  <li
                    key={item.id}
                    id={item.id}
                    tabIndex={-1}
                    className="grid grid-cols-1 gap-2 px-4 py-4 sm:px-5"
                  >
                    {children(item)}
                  </li>
                ))}
              </ul>
            )}
            <ListPagination list={list} count={count} label={label} />
          </div>
        )}
      </LoadableView>
    </>
  );
}

function formatFound(
  { search, count }: { search: string; count: number },
  noun: string,
  isBusy: boolean,
): string {
  if (isBusy) return 'Searching…';
  return search === '' ? pluralize(count, noun) : `${count} found`;
}

/**
 * The data after an action may be without the pressed button. Then the focus goes to the last button of
 * the entry, else to the entry, and if that is gone too, to the title of the part.
 */
function restoreFocus({ resource }: { resource: string }): void {
  const id = takeChangedId(resource);
  if (id === null || document.activeElement !== document.body) return;
  const entry = document.getElementById(id);
  const button = [...(entry?.querySelectorAll('button') ?? [])].at(-1);
  (button ?? entry ?? document.getElementById(PART_TITLE_ID))?.focus();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether the shown entries are not yet those of the typed search and the chosen page. */
function useIsBusy<Item>({ $list, $typed, $view }: SearchedList<Item>): boolean {
  const { data } = useStore($list);
  const typed = useStore($typed);
  const { skip } = useStore($view);
  return data !== undefined && (data.search !== typed.trim() || data.skip !== skip);
}
