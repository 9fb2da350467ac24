import { listFreeStretches, type Stretch } from './availability.ts';
import { openStretches } from './preview.ts';
import type { Schedule } from './schedule.ts';
import { addDays, type Instant, type LocalDate, MINUTE } from './time.ts';

/** Time that is taken; `end` is excluded. */
export interface Taken extends Stretch {
  /** With the buffer that it was booked with; excluded. */
  readonly blockedUntil: Instant;
}

/** What an artist looks at before they pick a time. */
export interface DayPlan<T extends Taken> {
  readonly zone: string;
  readonly schedule: Schedule;
  /** What keeps its time, in any order. */
  readonly taken: readonly T[];
}

/** What speaks against a time. Opening hours do not bind the artist, an overlap does. */
export interface Conflicts<T extends Taken> {
  readonly overlaps: readonly T[];
  /** Of these only the buffer is in the way. */
  readonly tooClose: readonly T[];
  readonly isOutsideHours: boolean;
}

/**
 * What speaks against picking a time on a date. What is picked gets the buffer that the artist has
 * now; what is taken keeps the one that it was booked with.
 */
export function conflictsOf<T extends Taken>(plan: DayPlan<T>, date: LocalDate, wanted: Stretch) {
  const buffer = plan.schedule.buffer_minutes * MINUTE;
  const overlaps = plan.taken.filter(({ start, end }) => start < wanted.end && wanted.start < end);
  const tooClose = plan.taken.filter(
    (one) =>
      !overlaps.includes(one) && one.start < wanted.end + buffer && wanted.start < one.blockedUntil,
  );
  // Work may run past midnight.
  const openAround = openStretches(plan.schedule, plan.zone, addDays(date, -1), addDays(date, 1));
  const conflicts: Conflicts<T> = {
    overlaps,
    tooClose,
    isOutsideHours: !isCovered(openAround, wanted),
  };
  return conflicts;
}

/** What is still free in the opening hours of a date, from `now` on. */
export function freeOn<T extends Taken>(
  { zone, schedule, taken }: DayPlan<T>,
  date: LocalDate,
  now: Instant,
): readonly Stretch[] {
  const blocked = taken
    .map(({ start, blockedUntil }) => ({ start, end: blockedUntil }))
    .toSorted((a, b) => a.start - b.start);
  // Neither notice nor booking range bind the artist.
  const free = { ...schedule, minimum_notice_minutes: 0 };
  const calendar = { zone, schedule: free, bookingRange: { kind: 'open' }, blocked } as const;
  return listFreeStretches(calendar, date, date, now)[0]?.windows ?? [];
}

function isCovered(open: readonly Stretch[], wanted: Stretch): boolean {
  return open.some(({ start, end }) => start <= wanted.start && end >= wanted.end);
}
