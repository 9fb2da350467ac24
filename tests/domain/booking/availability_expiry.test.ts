import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  slotsValidUntil,
} from '#domain/booking/availability.ts';
import { DEFAULT_SCHEDULE } from '#domain/booking/schedule.ts';
import { HOUR_MS, type Instant, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { calendarsAround, clockChanges } from './generated_calendars.ts';

const ZONE = 'America/New_York';
const NOW = Date.parse('2026-11-21T15:00:00Z');

function validUntil(first: string | null, expiries: readonly Instant[] = []): string {
  const start = first === null ? 0 : Date.parse(first);
  const listed: FreeDay[] =
    first === null ? [] : [{ date: '2026-11-21', times: [{ start, end: start + HOUR_MS }] }];
  const schedule = { ...DEFAULT_SCHEDULE, minimum_notice_minutes: 120 };
  return toRfc3339(slotsValidUntil({ zone: ZONE, schedule }, listed, expiries, NOW));
}

test("slots are valid until the studio's midnight at most", () => {
  expect(validUntil(null)).toBe('2026-11-22T05:00:00Z');
  expect(validUntil('2026-11-25T15:00:00Z')).toBe('2026-11-22T05:00:00Z');
});

test('slots are valid until the first one starts sooner than the minimum notice', () => {
  expect(validUntil('2026-11-21T18:30:00Z')).toBe('2026-11-21T16:30:00Z');
});

test('slots are valid until the next hold or offer expires', () => {
  expect(validUntil('2026-11-21T18:30:00Z', [NOW + 2 * HOUR_MS, NOW + HOUR_MS])).toBe(
    '2026-11-21T16:00:00Z',
  );
});

const CHANGES = clockChanges(ZONE, 2026);

test.each(CHANGES.map((change) => [toRfc3339(change), change] as const))(
  'slots do not change while they are valid, around the clock change at %s',
  (_, change) => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 });
    fc.assert(
      fc.property(calendarsAround(ZONE, change), minutes, (query, minutesLater) => {
        const { calendar, duration, first, last, now } = query;
        for (const list of [
          (at: Instant) => computeSlots(calendar, duration, { first, last }, at),
          (at: Instant) => computeFreeTimeRanges(calendar, { first, last }, at),
        ]) {
          const listed = list(now);
          const end = slotsValidUntil(calendar, listed, [], now);
          const later = Math.min(now + minutesLater * MINUTE_MS, end - 1);
          if (later > now) expect(list(later)).toEqual(listed);
        }
      }),
      { numRuns: 300 },
    );
  },
);
