import { beforeEach, expect, test, vi } from 'vitest';
import { createAvailability } from '#stores/availability.ts';
import {
  type ApiCall,
  DECEMBER,
  FLASH,
  problemResponse,
  SESSION,
  stubApi,
} from '#support/fake_api.ts';

let calls: ApiCall[];
let reply: (month: number) => Response | object | 'lost' | Promise<Response | object>;

beforeEach(() => {
  reply = () => ({ data: DECEMBER });
  calls = stubApi(({ query }) => reply(Number(query.get('month'))));
});

const READY = { kind: 'ready', days: DECEMBER };
const asked = () => calls.map(({ query }) => `${query.get('year')}-${query.get('month')}`);

test('a month is asked for once, however often it is shown', async () => {
  const months = createAvailability(null);
  const first = months.load(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'loading' } });
  await Promise.all([first, months.load(FLASH.id, '2026-12')]);
  await months.load(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  expect(asked()).toEqual(['2026-12']);
});

test('a month that came with the page is not asked for', async () => {
  const months = createAvailability({ month: '2026-12', days: DECEMBER });
  expect(await months.load(FLASH.id, '2026-12')).toEqual(READY);
  expect(asked()).toEqual([]);
});

test('a month that failed is asked for again', async () => {
  const months = createAvailability(null);
  reply = () => problemResponse(503, 'Busy');
  expect(await months.load(FLASH.id, '2026-12')).toEqual({ kind: 'failed', text: 'Busy' });
  reply = () => ({ data: DECEMBER });
  expect(await months.load(FLASH.id, '2026-12')).toEqual(READY);
});

test('an answer about the service before is dropped', async () => {
  const months = createAvailability(null);
  const late = Promise.withResolvers<object>();
  reply = () => late.promise;
  const first = months.load(FLASH.id, '2026-12');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  months.forget();
  reply = () => ({ data: [] });
  await months.load(SESSION.id, '2026-12');
  late.resolve({ data: DECEMBER });
  await first;
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'ready', days: [] } });
});

test('a refreshed month stays as it was until the answer, and when there is none', async () => {
  const months = createAvailability({ month: '2026-12', days: DECEMBER });
  reply = () => 'lost';
  const refreshing = months.renew(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  await refreshing;
  expect(months.$months.get()).toEqual({ '2026-12': READY });
  reply = () => ({ data: [] });
  await months.renew(FLASH.id, '2026-12');
  expect(months.$months.get()).toEqual({ '2026-12': { kind: 'ready', days: [] } });
});

test('the next month with openings is found over the end of the year', async () => {
  const months = createAvailability(null);
  reply = (month) => ({ data: month === 2 ? DECEMBER : [] });
  expect(await months.firstOpen(FLASH.id, '2026-11', 6)).toBe('2027-02');
  expect(asked()).toEqual(['2026-12', '2027-1', '2027-2']);
});

test('the search for openings ends after so many months, and at a failure', async () => {
  const months = createAvailability(null);
  reply = () => ({ data: [] });
  expect(await months.firstOpen(FLASH.id, '2026-11', 2)).toBeNull();
  expect(calls).toHaveLength(2);
  reply = () => 'lost';
  expect(await months.firstOpen(FLASH.id, '2027-01', 6)).toBe('2027-02');
});
