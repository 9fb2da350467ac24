import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { pluralize } from '#domain/duration.ts';
import { MAX_SEARCH_LENGTH } from '#domain/list_limits.ts';
import { ADMIN_PAGE_SIZE, type AdminList, takeChangedId } from '#stores/studio/admin.ts';
import type { Elements } from '../../elements.ts';
import { Spinner } from '../../Spinner.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';

/** The id of the heading above a list. */
export const PART_TITLE_ID = 'admin-part';

interface AdminListViewProps<Item extends { readonly id: string }> {
  list: AdminList<Item>;
  /** Names the entries, as in "1–20 of 31 failed mails". */
  label: string;
  /** Shown in place of an empty list that nobody has searched. */
  empty: { title: string; text: string };
  children: (item: Item) => Elements;
}

/** A list with its pages. */
export function AdminListView<Item extends { readonly id: string }>({
  list,
  label,
  empty,
  children,
}: AdminListViewProps<Item>) {
  const loaded = useStore(list.$list);
  const skip = useStore(list.$skip);
  const isBusy = useIsBusy(list);
  // New data may remove the pressed button.
  useEffect(() => keepFocus(list), [loaded.data, list]);
  return (
    <LoadableView value={loaded} label={label} onRetry={list.reload}>
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
          <Pagination
            skip={skip}
            limit={ADMIN_PAGE_SIZE}
            count={count}
            label={label}
            onSkipChange={list.goTo}
          />
        </div>
      )}
    </LoadableView>
  );
}

/**
 * After an action removed the focused button: focuses the one that replaced it, else the entry, and
 * if that is gone too, the title of the part.
 */
function keepFocus({ resource }: { resource: string }): void {
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
function useIsBusy<Item>({ $list, $typed, $skip }: AdminList<Item>): boolean {
  const { data } = useStore($list);
  const typed = useStore($typed);
  const skip = useStore($skip);
  return data !== undefined && (data.search !== typed.trim() || data.skip !== skip);
}

interface AdminSearchFieldProps<Item> {
  list: AdminList<Item>;
  noun: string;
  placeholder: string;
}

/** Searches a list while the operator types, and says how many entries it has. */
export function AdminSearchField<Item>({ list, noun, placeholder }: AdminSearchFieldProps<Item>) {
  const typed = useStore(list.$typed);
  const isBusy = useIsBusy(list);
  const { data } = useStore(list.$list);
  return (
    <search className="field max-w-md">
      <label htmlFor="admin-search">{`Search ${noun}s`}</label>
      <input
        id="admin-search"
        type="search"
        value={typed}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        className="input placeholder:text-muted"
        onChange={({ target }) => list.search(target.value)}
      />
      <p role="status" className="flex min-h-6 items-center gap-2 text-muted">
        {isBusy && <Spinner />}
        {data && (
          <span>
            {isBusy
              ? 'Searching…'
              : data.search === ''
                ? pluralize(data.count, noun)
                : `${data.count} found`}
          </span>
        )}
      </p>
    </search>
  );
}
