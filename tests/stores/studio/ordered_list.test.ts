import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/call.ts';
import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { startSession } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { createOrderedList } from '#stores/studio/ordered_list.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
}

const item = (id: string): Item => ({ id, name: `Item ${id}` });
const REFUSED = new ApiError(503, '', 'Busy');

/** Items of the fake server, the changes that it made, and the error of its next changes. */
let serverItems: Item[];
let changed: (readonly [id: string, changes: object])[];
let serverError: Error | null;
/** What the answers to changes wait for. */
let answering: Promise<unknown> | undefined;

beforeEach(() => {
  startSession('one');
  serverItems = ['a', 'b', 'c'].map(item);
  changed = [];
  serverError = null;
  answering = undefined;
});

afterEach(async () => {
  await sendDeletionsNow();
});

function throwServerError(): void {
  if (serverError) throw serverError;
}

/** A list that has been loaded. */
async function openList(
  fetchPage: (page: { skip: number }) => Promise<ListPage<Item>> = async () => ({
    data: serverItems,
    count: serverItems.length,
  }),
) {
  // Each session has a cache of its own.
  startSession(crypto.randomUUID());
  const items = createOrderedList<Item, Partial<Item>>({
    resource: 'services',
    list: (page) => fetchPage(page),
    change: async (id, changes) => {
      await answering;
      throwServerError();
      changed.push([id, changes]);
      return { ...item(id), ...changes };
    },
    remove: async (id) => {
      throwServerError();
      serverItems = serverItems.filter((item) => item.id !== id);
    },
  });
  items.$list.listen(() => {});
  await waitForLoaded(items.$list);
  const ids = () => (items.$list.get().data?.data ?? []).map(({ id }) => id).join('');
  return { ...items, ids, count: () => items.$list.get().data?.count };
}

test('on the second page positions count from the beginning of the whole list', async () => {
  const skips: number[] = [];
  const { move, $skip, $list } = await openList(async ({ skip }) => {
    skips.push(skip);
    return { data: serverItems, count: MAX_PAGE_SIZE + serverItems.length };
  });
  $skip.set(MAX_PAGE_SIZE);
  await vi.waitFor(() => expect(skips).toEqual([0, MAX_PAGE_SIZE]));
  await waitForLoaded($list);
  move('c', 'a');
  await vi.waitFor(() => expect(changed).toEqual([['c', { position: MAX_PAGE_SIZE }]]));
});

test('a failed move is reverted, and the moves after it are not sent', async () => {
  const { move, ids } = await openList();
  serverError = REFUSED;
  move('c', 'a');
  move('b', 'c');
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(1));
  expect(toastTexts()).toEqual(['The order was not saved. Busy']);
  await vi.waitFor(() => expect(ids()).toBe('abc'));
  expect(changed).toEqual([]);
});

test('an appended item is last on the last page; on earlier pages only the count grows', async () => {
  const whole = await openList();
  whole.append(item('d'));
  expect([whole.ids(), whole.count()]).toEqual(['abcd', 4]);
  const paged = await openList(async () => ({ data: serverItems, count: 500 }));
  paged.append(item('d'));
  expect([paged.ids(), paged.count()]).toEqual(['abc', 501]);
});

test('deleting an item that another tab has deleted shows no error', async () => {
  const { remove, ids } = await openList();
  serverError = new ApiError(404, '', 'Not found');
  remove('b', 'Item b');
  await sendDeletionsNow();
  expect(toastTexts()).toEqual([]);
  expect(ids()).toBe('ac');
});

test('a failed change reverts only its own field', async () => {
  const { changeField, save, $list } = await openList();
  const firstItem = () => $list.get().data?.data[0];
  const sending = Promise.withResolvers();
  answering = sending.promise;
  const changing = changeField(item('a'), 'name', { name: 'New name' });
  expect(firstItem()?.name).toBe('New name');
  answering = undefined;
  await save('a', { note: 'New note' });
  sending.reject(REFUSED);
  await changing;
  expect(firstItem()).toEqual({ ...item('a'), note: 'New note' });
  expect(toastTexts()).toEqual(['“Item a” was not changed. Busy']);
});
