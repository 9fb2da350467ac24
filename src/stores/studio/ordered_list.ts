// Lists whose order the artist chooses, such as services. Changes are shown before they are saved.
import { atom, computed } from 'nanostores';
import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { showFailureToast } from '../error_text.ts';
import { $token } from '../session.ts';
import { $deletedIds, deferDeletion } from './deferred_deletion.ts';
import {
  createQueryOf,
  markRunningQueriesStale,
  nullIfNotFound,
  type Resource,
} from './queries.ts';

/** The API puts an item with a position beyond the end of its list at the end. */
export const END_POSITION = 1_000_000;

interface OrderedListOptions<T, Changes> {
  /** The resource in the query's key, such as `services`. */
  readonly resource: Resource;
  readonly list: (query: { skip: number; limit: number }) => Promise<ListPage<T>>;
  /** Saves changes of an item. A new `position` moves the item; it counts from 0 in the whole list. */
  readonly change: (id: string, changes: Changes | { position: number }) => Promise<T>;
  readonly remove: (id: string) => Promise<void>;
}

/** One page of a list whose order the artist chooses, with its changes. */
export function createOrderedList<
  T extends { readonly id: string },
  // `never` for components that show any list: they change no fields.
  Changes extends object = never,
>(options: OrderedListOptions<T, Changes>) {
  /** The number of items on the pages before the shown one. */
  const $skip = atom(0);
  /** The shown page, with the items whose deletion can still be undone; cached per access token. */
  const $page = createQueryOf(
    computed([$token, $skip], (token, skip) => (token === undefined ? null : { token, skip })),
    [options.resource],
    ({ skip }) => options.list({ skip, limit: MAX_PAGE_SIZE }),
  );
  /** The newest move. Each move waits for the one before, because its position counts in the order after that. */
  let lastMove: Promise<unknown> = Promise.resolve();
  let failedMoves = 0;

  /** Changes the page on the screen, without a request. */
  function updatePage(update: (page: ListPage<T>) => ListPage<T>): void {
    const { data } = $page.get();
    // A page that is not loaded yet is requested again: a running request may return old data.
    if (data) $page.mutate(update(data));
    else $page.revalidate();
  }

  /** Moves an item to the place of the item with the id `target`, or to the position `target` in the whole list. */
  function move(id: string, target: string | number): void {
    const items = $page.get().data?.data ?? [];
    const moved = items.find((item) => item.id === id);
    if (!moved) return;
    const skip = $skip.get();
    const position =
      typeof target === 'number' ? target : skip + items.findIndex((item) => item.id === target);
    // An item that moves to an earlier page is shown first on this page until the page reloads.
    const index = Math.max(0, position - skip);
    updatePage((page) => ({
      ...page,
      data: page.data.filter((item) => item !== moved).toSpliced(index, 0, moved),
    }));
    // A failed move restores the order before it, so the moves that were waiting for it are not sent.
    const failedMovesBefore = failedMoves;
    lastMove = lastMove.then(() =>
      failedMoves === failedMovesBefore ? saveMove(id, position, items) : undefined,
    );
  }

  /** Saves a move; after an error, shows the items in the order of `itemsBefore` again. */
  async function saveMove(id: string, position: number, itemsBefore: readonly T[]): Promise<void> {
    try {
      await options.change(id, { position });
      // A query that started before the move was saved may return the old order.
      markRunningQueriesStale();
      // The item may be on another page now.
      if (($page.get().data?.count ?? 0) > MAX_PAGE_SIZE) $page.revalidate();
    } catch (error) {
      failedMoves += 1;
      showFailureToast(error, 'The order was not saved.');
      updatePage((page) => ({ ...page, data: sortInOrderOf(itemsBefore, page.data) }));
      $page.revalidate();
    }
  }

  const showItem = (changed: T) => updatePage((page) => withItem(page, changed));

  /** Saves changes, then shows the item as it is now. @throws ApiError */
  async function save(id: string, changes: Changes): Promise<T> {
    const changed = await options.change(id, changes);
    showItem(changed);
    return changed;
  }

  /** Shows a new value of a field, and saves it; if that fails, the old value is shown again. */
  async function changeField<K extends keyof T>(
    item: T & { readonly name: string },
    field: K,
    change: Changes & Pick<T, K>,
  ): Promise<void> {
    showItem({ ...item, ...change });
    try {
      await save(item.id, change);
    } catch (error) {
      // Restores only this field: the other fields may have changed meanwhile.
      const current = $page.get().data?.data.find(({ id }) => id === item.id) ?? item;
      showItem({ ...current, [field]: item[field] });
      showFailureToast(error, `“${item.name}” was not changed.`);
    }
  }

  return {
    $skip,
    /** The shown page, without the items whose deletion can still be undone. */
    $list: computed([$page, $deletedIds], (query, deletedIds) =>
      query.data ? { ...query, data: withoutIds(query.data, deletedIds) } : query,
    ),
    reload: () => $page.revalidate(),
    move,
    save,
    changeField,
    /** Shows a new item, which the API has put at the end of the list. */
    append: (added: T) =>
      updatePage(({ data, count }) => ({
        // On any page but the last, only the count changes.
        data: $skip.get() + data.length === count ? [...data, added] : data,
        count: count + 1,
      })),
    /** Hides the item immediately, and deletes it when the toast with Undo closes. */
    remove: (id: string, name: string) =>
      deferDeletion({
        id,
        name,
        async send() {
          // Another tab may have deleted the item already.
          await options.remove(id).catch(nullIfNotFound);
          updatePage((page) => withoutIds(page, new Set([id])));
        },
      }),
  };
}

function withItem<T extends { readonly id: string }>(page: ListPage<T>, changed: T): ListPage<T> {
  const data = page.data.map((item) => (item.id === changed.id ? changed : item));
  return { ...page, data };
}

function withoutIds<T extends { readonly id: string }>(
  { data, count }: ListPage<T>,
  ids: ReadonlySet<string>,
): ListPage<T> {
  const rest = data.filter(({ id }) => !ids.has(id));
  return { data: rest, count: count - (data.length - rest.length) };
}

/** Sorts items as they are in `order`; items that `order` does not contain come last. */
function sortInOrderOf<T extends { readonly id: string }>(order: readonly T[], items: T[]): T[] {
  const positions = new Map(order.map(({ id }, index) => [id, index]));
  const position = ({ id }: T) => positions.get(id) ?? order.length;
  return items.toSorted((a, b) => position(a) - position(b));
}
