/** The grid of a month's days: its weeks, and the keys that move the focus in it. */
import {
  addDays,
  addMonths,
  type DateRange,
  type LocalDate,
  monthBounds,
  parseYearMonth,
  startOfWeek,
  toYearMonth,
  type YearMonth,
} from './calendar_date.ts';

/**
 * The weeks of a month; null for a day in another month.
 * @param firstWeekday of a week: an ISO weekday, 1 Monday to 7 Sunday
 */
export function weeksOfMonth(
  month: YearMonth,
  firstWeekday: number,
): readonly (readonly (LocalDate | null)[])[] {
  const { year, number } = parseYearMonth(month);
  const { first, last } = monthBounds(year, number);
  const weeks: (LocalDate | null)[][] = [];
  for (let start = startOfWeek(first, firstWeekday); start <= last; start = addDays(start, 7))
    weeks.push(datesOfWeek(start).map((date) => (toYearMonth(date) === month ? date : null)));
  return weeks;
}

/** The dates that a person can move to with the keyboard, in any month. */
interface SelectableDays extends DateRange {
  /** Of a week: an ISO weekday, 1 Monday to 7 Sunday. */
  readonly firstWeekday: number;
  readonly isSelectable: (date: LocalDate) => boolean;
}

/** The date to which a key leads from another one, when it is pressed so many times. */
const DATE_STEPS = new Map<string, (date: LocalDate, times: number) => LocalDate>([
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

/** Whether a key moves the focus in a grid of days. @param key such as `PageUp`, or `Shift+PageUp` */
export function isGridNavigationKey(key: string): boolean {
  return DATE_STEPS.has(key) || key === 'Home' || key === 'End';
}

/**
 * The next selectable day in the key's direction, or null. Home and End lead to the first and last selectable
 * day of the week. The keys are those of the date grid in the WAI-ARIA Authoring Practices.
 */
export function dateForKey(key: string, from: LocalDate, days: SelectableDays): LocalDate | null {
  const isInRange = (date: LocalDate) => date >= days.first && date <= days.last;
  const canSelect = (date: LocalDate) => isInRange(date) && days.isSelectable(date);
  const week = datesOfWeek(startOfWeek(from, days.firstWeekday));
  if (key === 'Home') return week.find(canSelect) ?? null;
  if (key === 'End') return week.findLast(canSelect) ?? null;
  const step = DATE_STEPS.get(key);
  if (!step) return null;
  for (let times = 1; ; times += 1) {
    const date = step(from, times);
    if (!isInRange(date)) return null;
    if (days.isSelectable(date)) return date;
  }
}

function datesOfWeek(start: LocalDate): readonly LocalDate[] {
  return Array.from({ length: 7 }, (_, index) => addDays(start, index));
}
