import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $chosenMonth,
  $monthPayments,
  $receivedMonth,
  $showsPayments,
  showThisMonth,
  turnMonth,
} from '#stores/studio/home.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore, waitForLoaded, waitForQueryKeys } from '#support/query_stores.ts';

let ranges: string[];
let count: number;

beforeEach(() => {
  // Still November in New York.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  ranges = [];
  count = 0;
  stubApi(({ path, query }) => {
    if (path === 'users/me') return ANA_SELF;
    if (path !== 'payments/') return toListed();
    ranges.push(`${query.get('first')} to ${query.get('last')}`);
    return { data: [], count, sums: [] };
  });
  startSession(crypto.randomUUID());
  $chosenMonth.set(null);
});

test('without recent payments no month is loaded, until the artist asks for it', async () => {
  const stop = $showsPayments.listen(() => {});
  const stopMonth = $monthPayments.listen(() => {});
  await vi.waitFor(() => expect(ranges).toEqual(['2026-10-01 to 2026-11-30']));
  await waitForQueryKeys();
  expect([$showsPayments.get(), ranges.length]).toEqual([false, 1]);
  showThisMonth();
  await vi.waitFor(() => expect(ranges.at(-1)).toBe('2026-11-01 to 2026-11-30'));
  expect($showsPayments.get()).toBe(true);
  stop();
  stopMonth();
});

test('the months are those of the studio’s zone, and turn across a year', async () => {
  showThisMonth();
  await reloadStore($monthPayments);
  await vi.waitFor(() => expect($receivedMonth.get()).toBe('2026-11'));
  turnMonth(2);
  await waitForQueryKeys();
  await waitForLoaded($monthPayments);
  expect([$receivedMonth.get(), ranges.at(-1)]).toEqual(['2027-01', '2027-01-01 to 2027-01-31']);
  turnMonth(-2);
  expect($receivedMonth.get()).toBe('2026-11');
});
