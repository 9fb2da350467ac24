import { describe, expect, test } from 'vitest';
import type { Calendar, TimeRange } from '#domain/booking/availability.ts';
import {
  areFew,
  type CountedRequests,
  dependsOnHistory,
  isFairShare,
  mayStillReserve,
  requiredProof,
  suspiciousRequests,
  type TakenShares,
  takenEditionShare,
  takenShares,
} from '#domain/booking/booking_limits.ts';
import { HOUR_MS } from '#domain/time/time.ts';

const QUIET: CountedRequests = {
  ofHour: 0,
  ofDay: 0,
  ofNetworkAndHour: 0,
  ofNetwork: 0,
  busiestHour: 0,
};

test.each<[string, Partial<CountedRequests & TakenShares>, string]>([
  ['the third request of a network', { ofHour: 2, ofNetworkAndHour: 2, ofNetwork: 2 }, 'nothing'],
  ['the fourth', { ofHour: 3, ofNetworkAndHour: 3, ofNetwork: 3 }, 'proof_of_work'],
  ['the tenth to an artist', { ofHour: 9 }, 'nothing'],
  ['the eleventh', { ofHour: 10 }, 'proof_of_work'],
  ['one of twice the busiest hour', { ofHour: 39, busiestHour: 20 }, 'nothing'],
  ['one more than twice the busiest hour', { ofHour: 40, busiestHour: 20 }, 'proof_of_work'],
  [
    'one of an opening night of 200 requests, 60 of them of one carrier',
    { ofHour: 200, ofNetworkAndHour: 60, ofNetwork: 60, byNetwork: 0.19, byAll: 0.5 },
    'proof_of_work',
  ],
  ['the largest share of a network', { ofNetwork: 9, byNetwork: 0.19 }, 'nothing'],
  // Waiting for the next hour does not win a network a larger share.
  ['a larger share of a network', { ofNetwork: 9, byNetwork: 0.2 }, 'mail'],
  ['an early one in a short calendar', { ofNetwork: 2, byNetwork: 0.5, byAll: 0.5 }, 'nothing'],
  ['the largest share of all networks', { ofDay: 10, byAll: 0.75 }, 'nothing'],
  ['the last quarter of the times', { ofDay: 10, byAll: 0.76 }, 'mail'],
  ['the last quarter, on a quiet day', { ofDay: 9, byAll: 0.76 }, 'nothing'],
  ['the 100th of a network', { ofNetworkAndHour: 99 }, 'proof_of_work'],
  ['the 101st of a network', { ofNetworkAndHour: 100 }, 'mail'],
  ['the 150th of a network', { ofNetworkAndHour: 149 }, 'mail'],
  ['the 151st of a network', { ofNetworkAndHour: 150 }, 'refused'],
  ['the 300th to an artist', { ofHour: 299 }, 'proof_of_work'],
  ['the 301st to an artist', { ofHour: 300 }, 'mail'],
  ['the 301st to an artist of busy hours', { ofHour: 300, busiestHour: 100 }, 'proof_of_work'],
])('%s: with %o the proof is: %s', (_, { byNetwork = 0, byAll = 0, ...requests }, proof) => {
  expect(requiredProof({ ...QUIET, ...requests }, { byNetwork, byAll })).toBe(proof);
});

test('the shares are computed from the fourth request of a network on, or the tenth of a day', () => {
  const quiet = { ofHour: 9, ofDay: 9, ofNetwork: 2, ofNetworkAndHour: 2 };
  expect(dependsOnHistory(quiet)).toBe(false);
  expect(dependsOnHistory({ ...quiet, ofNetwork: 3 })).toBe(true);
  expect(dependsOnHistory({ ...quiet, ofDay: 10 })).toBe(true);
  expect([2, 3].map(areFew)).toEqual([true, false]);
});

test.each([
  ['network', 0.19, 0.19],
  // Of one service alone, a mailbox gets a fifth.
  ['mailbox', 0.19, 0.05],
  ['domain', 0.4, 0.4],
] as const)(
  'mailed links of a %s reserve at most %d of each service, and %d of the requested one',
  (group, ofEach, together) => {
    expect(isFairShare(group, { ofEach, together })).toBe(true);
    expect(isFairShare(group, { ofEach: ofEach + 0.01, together: 0 })).toBe(false);
    expect(isFairShare(group, { ofEach: 0, together: together + 0.01 })).toBe(false);
  },
);

test('a link reserves a time that was not kept only as long as the limits count its request', () => {
  const days = (count: number) => mayStillReserve(0, count * 24 * HOUR_MS);
  expect([14, 15].map(days)).toEqual([true, false]);
});

test.each([
  // ofHour, ofDay, busiestHour, share
  [19, 19, 0, 0, undefined],
  [20, 20, 0, 0, 'hour'],
  [59, 59, 20, 0, undefined],
  [60, 60, 20, 0, 'hour'],
  [3, 59, 0, 0, undefined],
  [3, 60, 0, 0, 'day'],
  [3, 179, 20, 0, undefined],
  [3, 180, 20, 0, 'day'],
  [3, 9, 0, 0.31, undefined],
  [3, 10, 0, 0.3, undefined],
  [3, 10, 0, 0.31, 'day'],
] as const)(
  '%d requests of an hour and %d of a day, after at most %d an hour, with a share of %d, warn of the: %s',
  (ofHour, ofDay, busiestHour, share, warnsOf) => {
    expect(suspiciousRequests({ ofHour, ofDay, share }, busiestHour)).toBe(warnsOf);
  },
);

describe('takenShares', () => {
  const NOW = Date.parse('2026-11-23T00:00:00Z');
  const DAY = [{ start: '10:00', end: '18:00' }];
  const calendar: Calendar = {
    zone: 'UTC',
    schedule: {
      weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows: DAY })),
      exceptions: [],
      slot_interval_minutes: 60,
      buffer_minutes: 0,
      minimum_notice_minutes: 0,
    },
    bookingRange: { kind: 'rolling', days: 9 },
    blocked: [],
  };
  const hour = (day: number, at: number) => {
    const start = Date.parse(`2026-11-${day}T${at}:00:00Z`);
    return { start, end: start + HOUR_MS };
  };

  test('one of eight times on each of eight days is an eighth', () => {
    const taken = [23, 24, 25, 26, 27, 28, 29, 30].map((day) => hour(day, 10));
    expect(takenShares(calendar, { taken }, [60], NOW).together).toBeCloseTo(8 / 80);
  });

  test('short appointments remove the only times of a long service; the first three do not count', () => {
    const taken = [23, 24, 25, 26].map((day) => hour(day, 13));
    const shares = { ofEach: expect.closeTo(4 / 10), together: expect.closeTo(8 / 90) };
    expect(takenShares(calendar, { taken }, [60, 480], NOW)).toEqual(shares);
    expect(takenShares(calendar, { taken: taken.slice(1) }, [480], NOW).ofEach).toBe(0);
  });

  test('a move counts for the services of which it takes more, whatever is taken of others', () => {
    const at = (hours: number) => [23, 24, 25, 26].map((day) => hour(day, hours));
    const ofEach = (taken: TimeRange[], replaced: TimeRange[]) =>
      takenShares(calendar, { taken, replaced }, [60, 300, 480], NOW).ofEach;
    expect(ofEach(at(13), at(17))).toBeCloseTo(16 / 40);
    expect(ofEach(at(17), at(13))).toBe(0);
  });

  test('times that others have taken do not count', () => {
    const blocked = [23, 24, 25, 26, 27].map((day) => ({
      ...hour(day, 10),
      end: hour(day, 18).start,
    }));
    const taken = [...[28, 29, 30].map((day) => hour(day, 10)), hour(28, 15)];
    const { ofEach } = takenShares({ ...calendar, blocked }, { taken }, [60], NOW);
    expect(ofEach).toBeCloseTo(4 / 40);
  });

  test('times of the next weeks count by themselves in a long booking range', () => {
    const long: Calendar = { ...calendar, bookingRange: { kind: 'rolling', days: 365 } };
    const taken = Array.from({ length: 30 }, (_, day) => {
      const start = Date.parse('2026-11-24T13:00:00Z') + day * 24 * HOUR_MS;
      return { start, end: start + HOUR_MS };
    });
    expect(takenShares(long, { taken }, [60], NOW).together).toBeCloseTo(30 / (61 * 8));
  });

  test('nothing is taken of a calendar without times', () => {
    const closed = { ...calendar, schedule: { ...calendar.schedule, weekly: [] } };
    const none = { ofEach: 0, together: 0 };
    expect(takenShares(closed, { taken: [hour(24, 13)] }, [60], NOW)).toEqual(none);
  });
});

test('the share of the limited editions counts from the fourth edition of a network on', () => {
  expect(takenEditionShare({ ofNetwork: 2, left: 1 })).toBe(0);
  expect(takenEditionShare({ ofNetwork: 3, left: 5 })).toBe(0.5);
  expect(takenEditionShare({ ofNetwork: 3, left: 1 })).toBe(1);
});
