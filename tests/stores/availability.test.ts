import { beforeEach, expect, test, vi } from 'vitest';
import { createAvailability } from '#stores/availability.ts';
import { type ApiCall, DECEMBER, FLASH, SESSION, stubApi } from '#support/fake_api.ts';

let calls: ApiCall[];
let reply: (month: number) => Response | object | 'lost' | Promise<Response | object>;

beforeEach(() => {
  reply = () => ({ data: DECEMBER });
  calls = stubApi(({ query }) => reply(Number(query.get('month'))));
});

const READY = { kind: 'ready', days: DECEMBER };
const requestedMonths = () =>
  calls.map(({ query }) => `${query.get('year')}-${query.get('month')}`);

test('a month is fetched once, also when it is loaded again', async () => {
  const months = createAvailability(null);
  const first = months.load(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'loading' } });
  await Promise.all([first, months.load(FLASH.id, '2026-12')]);
  await months.load(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  expect(requestedMonths()).toEqual(['2026-12']);
});

test('a month that came with the page is not fetched', async () => {
  const months = createAvailability({ month: '2026-12', days: DECEMBER });
  expect(await months.load(FLASH.id, '2026-12')).toEqual(READY);
  expect(requestedMonths()).toEqual([]);
});

test('the times of a design with a length of its own are those of its own list', async () => {
  const months = createAvailability(null, 'design-one');
  await months.load('design-one', '2026-12');
  await months.load(FLASH.id, '2027-01');
  expect(calls.map(({ path }) => path)).toEqual([
    'designs/design-one/availability',
    `services/${FLASH.id}/availability`,
  ]);
});

test('a late response for the previous service is dropped', async () => {
  const months = createAvailability(null);
  const late = Promise.withResolvers<object>();
  reply = () => late.promise;
  const first = months.load(FLASH.id, '2026-12');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  months.reset();
  reply = () => ({ data: [] });
  await months.load(SESSION.id, '2026-12');
  late.resolve({ data: DECEMBER });
  await first;
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'ready', days: [] } });
});

test('a month stays visible while it is reloaded, and when the reload fails', async () => {
  const months = createAvailability({ month: '2026-12', days: DECEMBER });
  reply = () => 'lost';
  const refreshing = months.reload(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  await refreshing;
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  reply = () => ({ data: [] });
  await months.reload(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'ready', days: [] } });
});

test('the search for an open month stops at its limit, and at a month that fails to load', async () => {
  const months = createAvailability(null);
  reply = () => ({ data: [] });
  expect(await months.findOpenMonth(FLASH.id, '2026-11', 2)).toBeNull();
  expect(calls).toHaveLength(2);
  reply = () => 'lost';
  expect(await months.findOpenMonth(FLASH.id, '2027-01', 6)).toBe('2027-02');
});
