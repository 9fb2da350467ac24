import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';
import type { ListPage } from '#contract/common.ts';
import { startSession } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { createOrderedList, END_POSITION, MAX_PAGE_SIZE } from '#stores/studio/ordered_list.ts';
import { $toasts, closeNewestToast } from '#stores/toasts.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

interface Item {
  readonly id: string;
  readonly name: string;
}

const item = (id: string): Item => ({ id, name: `Item ${id}` });
const REFUSED = new ApiError(503, '', 'Busy');

/** What the server has, and how it answers the next change. */
let server: Item[];
let moved: [string, number][];
let failing: Error | null;
let nouns = 0;

beforeEach(() => {
  startSession('one');
  server = ['a', 'b', 'c'].map(item);
  moved = [];
  failing = null;
});

afterEach(async () => {
  await sendDeletionsNow();
  $toasts.set([]);
});

function answer(): void {
  if (failing) throw failing;
}

/** A list that has been read. */
async function open(
  list: (page: { skip: number }) => Promise<ListPage<Item>> = async () => ({
    data: server,
    count: server.length,
  }),
) {
  nouns += 1;
  const items = createOrderedList<Item>({
    resource: `items${nouns}`,
    list: (_http, page) => list(page),
    move: async (_http, id, position) => {
      answer();
      moved.push([id, position]);
    },
    remove: async (_http, id) => {
      answer();
      server = server.filter((one) => one.id !== id);
    },
  });
  items.$list.listen(() => {});
  await waitForLoaded(items.$list);
  const ids = () => (items.$list.get().data?.data ?? []).map(({ id }) => id).join('');
  return { ...items, ids, count: () => items.$list.get().data?.count };
}

test('an item moves at once to the place of another, and then on the server', async () => {
  const { move, ids } = await open();
  move('c', 'a');
  expect(ids()).toBe('cab');
  await vi.waitFor(() => expect(moved).toEqual([['c', 0]]));
});

test('an item moves to a place counted in the whole list, or to the end', async () => {
  const { move, ids } = await open();
  move('a', 1);
  expect(ids()).toBe('bac');
  move('b', END_POSITION);
  expect(ids()).toBe('acb');
  await vi.waitFor(() =>
    expect(moved).toEqual([
      ['a', 1],
      ['b', END_POSITION],
    ]),
  );
});

test('on the second page a place counts from the beginning of the whole list', async () => {
  const skips: number[] = [];
  const { move, $skip, $list } = await open(async ({ skip }) => {
    skips.push(skip);
    return { data: server, count: MAX_PAGE_SIZE + server.length };
  });
  $skip.set(MAX_PAGE_SIZE);
  await vi.waitFor(() => expect(skips).toEqual([0, MAX_PAGE_SIZE]));
  await waitForLoaded($list);
  move('c', 'a');
  await vi.waitFor(() => expect(moved).toEqual([['c', MAX_PAGE_SIZE]]));
});

test('a move that fails goes back, and the moves behind it are not sent', async () => {
  const { move, ids } = await open();
  failing = REFUSED;
  move('c', 'a');
  move('b', 'c');
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(1));
  expect(toastTexts()).toEqual(['Something went wrong. The order was not saved. Busy']);
  await vi.waitFor(() => expect(ids()).toBe('abc'));
  expect(moved).toEqual([]);
});

test('moving something that is not in the list does nothing', async () => {
  const { move, ids } = await open();
  move('x', 'a');
  expect(ids()).toBe('abc');
  expect(moved).toEqual([]);
});

test('an added item is last and counted; on an earlier page it is only counted', async () => {
  const whole = await open();
  whole.append(item('d'));
  expect([whole.ids(), whole.count()]).toEqual(['abcd', 4]);
  const paged = await open(async () => ({ data: server, count: 500 }));
  paged.append(item('d'));
  expect([paged.ids(), paged.count()]).toEqual(['abc', 501]);
});

test('a deleted item leaves the list at once, and comes back when that is undone', async () => {
  const { remove, ids, count } = await open();
  remove('b', 'Item b');
  expect([ids(), count()]).toEqual(['ac', 2]);
  const undo = $toasts.get().at(-1)?.action;
  closeNewestToast();
  undo?.run();
  expect([ids(), count()]).toEqual(['abc', 3]);
  expect(server.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('deleting an item that another tab deleted is no failure', async () => {
  const { remove, ids } = await open();
  failing = new ApiError(404, '', 'Not found');
  remove('b', 'Item b');
  await sendDeletionsNow();
  expect(toastTexts()).toEqual([]);
  expect(ids()).toBe('ac');
});

test('a change that fails takes back its own field and no other', async () => {
  const { change, applyUpdate: know, $list } = await open();
  const shown = () => $list.get().data?.data[0];
  const sending = Promise.withResolvers<Item>();
  const changing = change(item('a'), 'name', 'New name', () => sending.promise);
  expect(shown()?.name).toBe('New name');
  know({ id: 'a', name: 'New name' });
  sending.reject(REFUSED);
  await changing;
  expect(shown()).toEqual(item('a'));
  expect(toastTexts()).toEqual(['Something went wrong. “Item a” was not changed. Busy']);
});
