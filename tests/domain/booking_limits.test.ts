import { describe, expect, test } from 'vitest';
import type { Calendar, TimeRange } from '#domain/availability.ts';
import {
  areFew,
  areSuspicious,
  type CountedRequests,
  dependsOnHistory,
  isFairShare,
  isSuspiciousShare,
  mayStillReserve,
  mayTakeSuspiciousShare,
  requiredProof,
  type SenderGroup,
  takenEditionShare,
  takenShares,
} from '#domain/booking_limits.ts';
import { HOUR_MS } from '#domain/time.ts';

const QUIET: CountedRequests = {
  ofHour: 0,
  ofDay: 0,
  ofNetworkAndHour: 0,
  ofNetwork: 0,
  busiestHour: 0,
};
const NO_SHARES = { byNetwork: 0, byAll: 0 };

describe('requiredProof', () => {
  test('the first three requests of a network and the first ten of an artist need no proof', () => {
    const proofOf = (requests: Partial<CountedRequests>) =>
      requiredProof({ ...QUIET, ...requests }, NO_SHARES);
    expect(proofOf({ ofHour: 2, ofNetworkAndHour: 2, ofNetwork: 2 })).toBe('nothing');
    expect(proofOf({ ofHour: 3, ofNetworkAndHour: 3, ofNetwork: 3 })).toBe('proof_of_work');
    expect(proofOf({ ofHour: 9 })).toBe('nothing');
    expect(proofOf({ ofHour: 10 })).toBe('proof_of_work');
  });

  test('an artist with busy hours gets more requests without a proof', () => {
    expect(requiredProof({ ...QUIET, ofHour: 39, busiestHour: 20 }, NO_SHARES)).toBe('nothing');
    expect(requiredProof({ ...QUIET, ofHour: 40, busiestHour: 20 }, NO_SHARES)).toBe(
      'proof_of_work',
    );
  });

  test('an opening night of 200 requests, 60 of them of one carrier, needs no mail', () => {
    const night = { ...QUIET, ofHour: 200, ofNetworkAndHour: 60, ofNetwork: 60 };
    expect(requiredProof(night, { byNetwork: 0.19, byAll: 0.5 })).toBe('proof_of_work');
  });

  test('a network that has taken its share must prove its mailboxes', () => {
    const many = { ...QUIET, ofHour: 9, ofNetworkAndHour: 9, ofNetwork: 9 };
    expect(requiredProof(many, { byNetwork: 0.19, byAll: 0.2 })).toBe('proof_of_work');
    expect(requiredProof(many, { byNetwork: 0.2, byAll: 0.2 })).toBe('mail');
  });

  test('the first requests of a network pass although the artist lists few times', () => {
    const second = { ...QUIET, ofHour: 1, ofNetworkAndHour: 1, ofNetwork: 1 };
    expect(requiredProof(second, { byNetwork: 0.5, byAll: 0.5 })).toBe('nothing');
  });

  test('waiting for the next hour does not win a network a larger share', () => {
    const nextHour = { ...QUIET, ofNetwork: 30 };
    expect(requiredProof(nextHour, { byNetwork: 0.2, byAll: 0.2 })).toBe('mail');
  });

  test('the last quarter of the times is for clients who prove their mailbox', () => {
    const many = { ...QUIET, ofHour: 3, ofDay: 10 };
    expect(requiredProof(many, { byNetwork: 0.01, byAll: 0.75 })).toBe('nothing');
    expect(requiredProof(many, { byNetwork: 0.01, byAll: 0.76 })).toBe('mail');
    const few = { ...many, ofDay: 9 };
    expect(requiredProof(few, { byNetwork: 0.01, byAll: 0.76 })).toBe('nothing');
  });

  test('requests without a time are limited by their number', () => {
    const ofNetwork = (count: number) =>
      requiredProof(
        { ...QUIET, ofHour: count, ofNetworkAndHour: count, ofNetwork: count },
        NO_SHARES,
      );
    expect([99, 100, 149, 150].map(ofNetwork)).toEqual([
      'proof_of_work',
      'mail',
      'mail',
      'refused',
    ]);
    expect(requiredProof({ ...QUIET, ofHour: 300 }, NO_SHARES)).toBe('mail');
    expect(requiredProof({ ...QUIET, ofHour: 300, busiestHour: 100 }, NO_SHARES)).toBe(
      'proof_of_work',
    );
  });

  test('without a history to depend on, nothing is required', () => {
    const quiet = { ...QUIET, ofHour: 9, ofDay: 9, ofNetwork: 2, ofNetworkAndHour: 2 };
    expect(dependsOnHistory(quiet)).toBe(false);
    expect(requiredProof(quiet, NO_SHARES)).toBe('nothing');
    expect(dependsOnHistory({ ...quiet, ofNetwork: 3 })).toBe(true);
    expect(dependsOnHistory({ ...quiet, ofDay: 10 })).toBe(true);
  });
});

describe('times that are reserved by mailed links', () => {
  test('a network gets a fifth of the times, a mailbox a twentieth, a domain two fifths', () => {
    const judge = (group: SenderGroup, ...shares: number[]) =>
      shares.map((share) => isFairShare(group, { ofEach: 0, together: share }));
    expect(judge('network', 0.19, 0.2)).toEqual([true, false]);
    expect(judge('mailbox', 0.05, 0.06)).toEqual([true, false]);
    expect(judge('domain', 0.4, 0.41)).toEqual([true, false]);
    // Of one service alone, a mailbox gets a fifth.
    for (const ofEach of [0.19, 0.2])
      expect(isFairShare('mailbox', { ofEach, together: 0 })).toBe(ofEach < 0.2);
  });

  test('the first three pass although the artist lists few times', () => {
    expect([2, 3].map(areFew)).toEqual([true, false]);
  });

  test('a link reserves a time that was not kept only as long as the limits count its request', () => {
    const days = (count: number) => mayStillReserve(0, count * 24 * HOUR_MS);
    expect([14, 15].map(days)).toEqual([true, false]);
  });
});

describe('alarms', () => {
  const ofHour = (count: number) => ({ ofHour: count, ofDay: count });

  test('twenty requests an hour are suspicious, or thrice the busiest hour', () => {
    expect([19, 20].map((count) => areSuspicious(ofHour(count), 0))).toEqual([false, true]);
    expect([59, 60].map((count) => areSuspicious(ofHour(count), 20))).toEqual([false, true]);
  });

  test('in a day, as many as in three such hours are', () => {
    const ofDay = (count: number) => ({ ofHour: 3, ofDay: count });
    expect([59, 60].map((count) => areSuspicious(ofDay(count), 0))).toEqual([false, true]);
    expect([179, 180].map((count) => areSuspicious(ofDay(count), 20))).toEqual([false, true]);
  });

  test('ten of a day are when they take three tenths of the times', () => {
    expect([9, 10].map((count) => mayTakeSuspiciousShare(ofHour(count)))).toEqual([false, true]);
    expect([0.3, 0.31].map(isSuspiciousShare)).toEqual([false, true]);
  });
});

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
