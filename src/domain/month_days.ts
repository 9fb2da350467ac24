import { type Month, monthOf, monthParts } from './show_time.ts';
import { addDays, addMonths, type LocalDate, monthDates, weekdayOf } from './time.ts';

/** The weeks of a month, each from Sunday on; null where a day lies in another month. */
export function weeksOf(month: Month): readonly (readonly (LocalDate | null)[])[] {
  const { year, number } = monthParts(month);
  const { first, last } = monthDates(year, number);
  const weeks: (LocalDate | null)[][] = [];
  for (let sunday = sundayOf(first); sunday <= last; sunday = addDays(sunday, 7))
    weeks.push(weekFrom(sunday).map((date) => (monthOf(date) === month ? date : null)));
  return weeks;
}

/** The days that a grid leads to, in whatever month they are; both ends included. */
interface DaysWithin {
  readonly first: LocalDate;
  readonly last: LocalDate;
  readonly isOpen: (date: LocalDate) => boolean;
}

type Move = (date: LocalDate, times: number) => LocalDate;

const MOVES = new Map<string, Move>([
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
export function isDayKey(key: string): boolean {
  return MOVES.has(key) || key === 'Home' || key === 'End';
}

/**
 * The day that a key leads to from a date, passing over closed ones; Home and End stay in the
 * week. Null where there is none. Source of the keys: WAI-ARIA's pattern of a grid of dates.
 */
export function dayByKey(key: string, from: LocalDate, days: DaysWithin): LocalDate | null {
  const isReachable = (date: LocalDate) =>
    date >= days.first && date <= days.last && days.isOpen(date);
  if (key === 'Home') return weekFrom(sundayOf(from)).find(isReachable) ?? null;
  if (key === 'End') return weekFrom(sundayOf(from)).findLast(isReachable) ?? null;
  const move = MOVES.get(key);
  if (!move) return null;
  for (let times = 1; ; times += 1) {
    const date = move(from, times);
    if (date < days.first || date > days.last) return null;
    if (days.isOpen(date)) return date;
  }
}

function sundayOf(date: LocalDate): LocalDate {
  return addDays(date, -(weekdayOf(date) % 7));
}

function weekFrom(sunday: LocalDate): readonly LocalDate[] {
  return Array.from({ length: 7 }, (_, index) => addDays(sunday, index));
}
