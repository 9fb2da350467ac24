import { atom, computed } from 'nanostores';
import { ApiError, type Transport } from '#client/http.ts';
import type { ListPage } from '#contract/common.ts';
import { errorText } from '../error_text.ts';
import { $token, artistApi } from '../session.ts';
import { showErrorToast } from '../toasts.ts';
import { $deletedIds, deferDeletion } from './deferred_deletion.ts';
import { createQuery, markRunningQueriesStale } from './queries.ts';

/** As many as the API lists at once. */
export const MAX_PAGE_SIZE = 200;
/** Beyond the end of any list is its end. */
export const END_POSITION = 1_000_000;

interface OrderedListOptions<T> {
  /** What the reading is kept by, such as `services`. */
  readonly resource: string;
  readonly list: (http: Transport, page: { skip: number; limit: number }) => Promise<ListPage<T>>;
  readonly move: (http: Transport, id: string, position: number) => Promise<unknown>;
  readonly remove: (http: Transport, id: string) => Promise<void>;
}

/** What an artist shows in an order of their own; clients see the same. */
export function createOrderedList<T extends { readonly id: string }>(calls: OrderedListOptions<T>) {
  const $skip = atom(0);
  const $list = createQuery<ListPage<T>>([calls.resource, $token, $skip], {
    fetcher: () => calls.list(artistApi(), { skip: $skip.get(), limit: MAX_PAGE_SIZE }),
  });
  /** One after the other: each place counts from the order before. */
  let moves: Promise<unknown> = Promise.resolve();
  let failures = 0;

  function updateList(change: (list: ListPage<T>) => ListPage<T>): void {
    const { data } = $list.get();
    // What is being read now may be without the change.
    if (data) $list.mutate(change(data));
    else $list.revalidate();
  }

  /**
   * Moves something at once, and then on the server.
   * @param target the id of whose place it takes, or its place in the whole list, from 0
   */
  function move(id: string, target: string | number): void {
    const items = $list.get().data?.data ?? [];
    const moved = items.find((item) => item.id === id);
    if (!moved) return;
    const skip = $skip.get();
    const position =
      typeof target === 'number' ? target : skip + items.findIndex((item) => item.id === target);
    const place = Math.max(0, position - skip);
    updateList((list) => ({
      ...list,
      data: list.data.filter((item) => item !== moved).toSpliced(place, 0, moved),
    }));
    const before = failures;
    moves = moves.then(() => (failures === before ? saveMove(id, position, items) : undefined));
  }

  async function saveMove(id: string, position: number, before: readonly T[]): Promise<void> {
    try {
      await calls.move(artistApi(), id, position);
      markRunningQueriesStale();
      // It may be on another page now.
      if (($list.get().data?.count ?? 0) > MAX_PAGE_SIZE) $list.revalidate();
    } catch (error) {
      failures += 1;
      showErrorToast('Something went wrong.', `The order was not saved. ${errorText(error)}`);
      updateList((list) => ({ ...list, data: sortInOrderOf(before, list.data) }));
      $list.revalidate();
    }
  }

  function applyUpdate(changed: T): void {
    updateList((list) => ({
      ...list,
      data: list.data.map((item) => (item.id === changed.id ? changed : item)),
    }));
  }

  /**
   * Changes one field at once, and then on the server. Should that fail, only this field is as it
   * was: the rest may have been changed meanwhile.
   */
  async function change<K extends keyof T>(
    item: T & { readonly name: string },
    field: K,
    value: T[K],
    send: () => Promise<T>,
  ): Promise<void> {
    const shown = () => $list.get().data?.data.find(({ id }) => id === item.id) ?? item;
    applyUpdate({ ...item, [field]: value });
    try {
      applyUpdate(await send());
    } catch (error) {
      applyUpdate({ ...shown(), [field]: item[field] });
      showErrorToast(
        'Something went wrong.',
        `“${item.name}” was not changed. ${errorText(error)}`,
      );
    }
  }

  return {
    $skip,
    /** Without what has just been deleted. */
    $list: computed([$list, $deletedIds], (value, leaving) =>
      value.data ? { ...value, data: withoutIds(value.data, leaving) } : value,
    ),
    reload: () => $list.revalidate(),
    move,
    /** Takes over what the API answered to a change. */
    applyUpdate: applyUpdate,
    change,
    /** Takes over what was added; it is last. */
    append: (added: T) =>
      updateList(({ data, count }) => ({
        data: $skip.get() + data.length === count ? [...data, added] : data,
        count: count + 1,
      })),
    /** Takes it away at once; it can be taken back for a while. */
    remove: (id: string, name: string) =>
      deferDeletion({
        id,
        name,
        async send() {
          await calls.remove(artistApi(), id).catch(ignoreNotFound);
          updateList((list) => withoutIds(list, new Set([id])));
        },
      }),
  };
}

function withoutIds<T extends { readonly id: string }>(
  { data, count }: ListPage<T>,
  ids: ReadonlySet<string>,
): ListPage<T> {
  const left = data.filter(({ id }) => !ids.has(id));
  return { data: left, count: count - (data.length - left.length) };
}

/** What is in both, in the order of the first, and then the rest. */
function sortInOrderOf<T extends { readonly id: string }>(order: readonly T[], items: T[]): T[] {
  const places = new Map(order.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: T) => places.get(id) ?? order.length;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** What another tab deleted is deleted. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
