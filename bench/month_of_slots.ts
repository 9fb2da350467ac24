import { type Calendar, computeSlots, type TimeRange } from '#domain/booking/availability.ts';
import { addDays, type LocalDate, monthBounds, weekdayOf } from '#domain/time/calendar_date.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import type { Benchmark } from './benchmark.ts';
import { measureAlternately, median, medianRatio } from './rounds.ts';

const ZONE = 'America/New_York';
/** A month in which the clocks change. */
const { first, last } = monthBounds(2027, 3);
const NOW = Date.UTC(2027, 1, 20);
const DURATION_MINUTES = 120;
const APPOINTMENTS = 60;

export const monthOfSlots: Benchmark = {
  name: 'slots',
  title: 'slots of one month, the pure function',
  baseline: '`JSON.parse` of the same input',
  target: { atMost: 3 },
  method:
    'Two windows a day, five days a week, a 120-minute service every 30 minutes, 60 appointments; time for one call, in one process, one after the other.',
  async measure(scale) {
    const calendar = createBusyCalendar();
    const text = JSON.stringify(calendar);
    const batch = scale === 'full' ? 2000 : 500;
    const rounds = await measureAlternately(
      scale === 'full' ? 31 : 9,
      () =>
        measureMicroseconds(batch, () =>
          computeSlots(calendar, DURATION_MINUTES, { first, last }, NOW),
        ),
      () => measureMicroseconds(batch, () => JSON.parse(text)),
    );
    return {
      ratio: medianRatio(rounds),
      ours: `${median(rounds.ours).toFixed(1)} µs`,
      baseline: `${median(rounds.baseline).toFixed(1)} µs`,
    };
  },
};

function createBusyCalendar(): Calendar {
  return {
    zone: ZONE,
    schedule: {
      weekly: [1, 2, 3, 4, 5].map((weekday) => ({
        weekday,
        windows: [
          { start: '10:00', end: '14:00' },
          { start: '15:00', end: '20:00' },
        ],
      })),
      exceptions: [],
      slot_interval_minutes: 30,
      buffer_minutes: 0,
      minimum_notice_minutes: 120,
    },
    bookingRange: { kind: 'open' },
    blocked: createAppointments(),
  };
}

/** Two of three of the times that fit the windows, until there are enough. */
function createAppointments(): TimeRange[] {
  const workdays: LocalDate[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    if (weekdayOf(date) <= 5) workdays.push(date);
  return workdays
    .flatMap((date) =>
      [10, 12, 15, 17].map((hour) => resolveWallTime(ZONE, date, hour * 60).instant),
    )
    .filter((_, index) => index % 3 !== 0)
    .slice(0, APPOINTMENTS)
    .map((start) => ({ start, end: start + 2 * HOUR_MS }));
}

/** What one call takes, on average of so many. */
function measureMicroseconds(times: number, call: () => unknown): number {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) call();
  return ((performance.now() - start) * 1000) / times;
}
