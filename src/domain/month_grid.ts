import { parseYearMonth, toYearMonth, type YearMonth } from './format_time.ts';
import { addDays, addMonths, type LocalDate, monthBounds, weekdayOf } from './time.ts';

/** The weeks of a month, each from Sunday on; null where a day lies in another month. */
export function weeksOfMonth(month: YearMonth): readonly (readonly (LocalDate | null)[])[] {
  const { year, number } = parseYearMonth(month);
  const { first, last } = monthBounds(year, number);
  const weeks: (LocalDate | null)[][] = [];
  for (let sunday = startOfWeek(first); sunday <= last; sunday = addDays(sunday, 7))
    weeks.push(datesOfWeek(sunday).map((date) => (toYearMonth(date) === month ? date : null)));
  return weeks;
}

/** The days that a grid leads to, in whatever month they are; both ends included. */
interface SelectableDays {
  readonly first: LocalDate;
  readonly last: LocalDate;
  readonly isSelectable: (date: LocalDate) => boolean;
}

type DateStep = (date: LocalDate, times: number) => LocalDate;

const DATE_STEPS = new Map<string, DateStep>([
  ['ArrowLeft', (date, times) => addDays(date, -times)],
  ['ArrowRight', addDays],
  ['ArrowUp', (date, times) => addDays(date, -7 * times)],
  ['ArrowDown', (date, times) => addDays(date, 7 * times)],
  ['PageUp', (date, times) => addMonths(date, -times)],
  ['PageDown', addMonths],
  ['Shift+ArrowLeft', (date, times) => addMonths(date, -times)],
  ['Shift+ArrowRight', addMonths],
  ['Shift+ArrowUp', (date, times) => addMonths(date, -12 * times)],
  ['Shift+ArrowDown', (date, times) => addMonths(date, 12 * times)],
  ['Shift+PageUp', (date, times) => addMonths(date, -12 * times)],
  ['Shift+PageDown', (date, times) => addMonths(date, 12 * times)],
]);

/** Whether a key, 'Shift+' before it when that is held, moves about in a grid of days. */
export function isGridNavigationKey(key: string): boolean {
  return DATE_STEPS.has(key) || key === 'Home' || key === 'End';
}

/**
 * The day that a key leads to from a date, passing over closed ones; Home and End stay in the
 * week. Null where there is none. Source of the keys: WAI-ARIA's pattern of a grid of dates.
 */
export function dateForKey(key: string, from: LocalDate, days: SelectableDays): LocalDate | null {
  const isReachable = (date: LocalDate) =>
    date >= days.first && date <= days.last && days.isSelectable(date);
  if (key === 'Home') return datesOfWeek(startOfWeek(from)).find(isReachable) ?? null;
  if (key === 'End') return datesOfWeek(startOfWeek(from)).findLast(isReachable) ?? null;
  const move = DATE_STEPS.get(key);
  if (!move) return null;
  for (let times = 1; ; times += 1) {
    const date = move(from, times);
    if (date < days.first || date > days.last) return null;
    if (days.isSelectable(date)) return date;
  }
}

function startOfWeek(date: LocalDate): LocalDate {
  return addDays(date, -(weekdayOf(date) % 7));
}

function datesOfWeek(sunday: LocalDate): readonly LocalDate[] {
  return Array.from({ length: 7 }, (_, index) => addDays(sunday, index));
}
