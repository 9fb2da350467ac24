import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  slotsValidUntil,
} from '#domain/availability.ts';
import { DEFAULT_SCHEDULE } from '#domain/schedule.ts';
import { HOUR_MS, type Instant, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { calendarsAround, clockChanges } from './generated_calendars.ts';

const ZONE = 'America/New_York';
const NOW = Date.parse('2026-11-21T15:00:00Z');

function until(first: string | null, lapses: readonly Instant[] = []): string {
  const start = first === null ? 0 : Date.parse(first);
  const listed: FreeDay[] =
    first === null ? [] : [{ date: '2026-11-21', times: [{ start, end: start + HOUR_MS }] }];
  const schedule = { ...DEFAULT_SCHEDULE, minimum_notice_minutes: 120 };
  return toRfc3339(slotsValidUntil({ zone: ZONE, schedule }, listed, lapses, NOW));
}

test("nothing that is listed outlives the studio's day", () => {
  expect(until(null)).toBe('2026-11-22T05:00:00Z');
  expect(until('2026-11-25T15:00:00Z')).toBe('2026-11-22T05:00:00Z');
});

test('the first start is listed until it is nearer than the notice', () => {
  expect(until('2026-11-21T18:30:00Z')).toBe('2026-11-21T16:30:00Z');
});

test('the next lapse frees what may be listed', () => {
  expect(until('2026-11-21T18:30:00Z', [NOW + 2 * HOUR_MS, NOW + HOUR_MS])).toBe(
    '2026-11-21T16:00:00Z',
  );
});

const CHANGES = clockChanges(ZONE, 2026);

test.each(CHANGES.map((change) => [toRfc3339(change), change] as const))(
  'until then, what is listed stays as it is, around %s',
  (_, change) => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 });
    fc.assert(
      fc.property(calendarsAround(ZONE, change), minutes, (asked, ahead) => {
        const { calendar, duration, first, last, now } = asked;
        for (const list of [
          (at: Instant) => computeSlots(calendar, duration, first, last, at),
          (at: Instant) => computeFreeTimeRanges(calendar, first, last, at),
        ]) {
          const listed = list(now);
          const end = slotsValidUntil(calendar, listed, [], now);
          const later = Math.min(now + ahead * MINUTE_MS, end - 1);
          if (later > now) expect(list(later)).toEqual(listed);
        }
      }),
      { numRuns: 300 },
    );
  },
);
