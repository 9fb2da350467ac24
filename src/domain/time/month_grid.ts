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

/** How far a key leads: so many days, or so many months. */
const STEPS = new Map<string, readonly [add: typeof addDays, count: number]>([
  ['ArrowLeft', [addDays, -1]],
  ['ArrowRight', [addDays, 1]],
  ['ArrowUp', [addDays, -7]],
  ['ArrowDown', [addDays, 7]],
  ['PageUp', [addMonths, -1]],
  ['PageDown', [addMonths, 1]],
  ['Shift+ArrowLeft', [addMonths, -1]],
  ['Shift+ArrowRight', [addMonths, 1]],
  ['Shift+ArrowUp', [addMonths, -12]],
  ['Shift+ArrowDown', [addMonths, 12]],
  ['Shift+PageUp', [addMonths, -12]],
  ['Shift+PageDown', [addMonths, 12]],
]);

/** Whether a key moves the focus in a grid of days. @param key such as `PageUp`, or `Shift+PageUp` */
export function isGridNavigationKey(key: string): boolean {
  return STEPS.has(key) || key === 'Home' || key === 'End';
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
  const step = STEPS.get(key);
  if (!step) return null;
  const [add, count] = step;
  for (let times = 1; ; times += 1) {
    const date = add(from, count * times);
    if (!isInRange(date)) return null;
    if (days.isSelectable(date)) return date;
  }
}

function datesOfWeek(start: LocalDate): readonly LocalDate[] {
  return Array.from({ length: 7 }, (_, index) => addDays(start, index));
}
