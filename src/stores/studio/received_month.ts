// What the artist has received in a month, for the home page.
import { atom, computed } from 'nanostores';
import { listPayments } from '#contract/endpoints.ts';
import type { PaymentList } from '#contract/payment.ts';
import {
  addYearMonths,
  monthBounds,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/calendar_date.ts';
import { callAsArtist } from '../session.ts';
import { $today } from './home.ts';
import { createQuery } from './queries.ts';

/** The month that the artist has chosen; null: this month. */
export const $chosenMonth = atom<YearMonth | null>(null);

/** Whether the artist came here to see what they have received. */
const $isAskedFor = atom(false);

const $thisMonth = computed($today, (today) =>
  today === undefined ? undefined : toYearMonth(today),
);

/** The shown month; undefined until the artist is loaded. */
export const $receivedMonth = computed([$chosenMonth, $thisMonth], (chosen, now) => chosen ?? now);

/** Shows this month, also to an artist without recent payments. */
export function showThisMonth(): void {
  $isAskedFor.set(true);
}

/** Shows the month that is `count` months after the shown one; negative: before it. */
export function turnMonth(count: number): void {
  const month = $receivedMonth.get();
  if (month !== undefined) $chosenMonth.set(addYearMonths(month, count));
}

/** The payments of this and the last month: without any, the home page does not show months. */
const $recentPayments = createQuery(['payments', 'recent', $thisMonth], (_resource, _kind, month) =>
  fetchPayments(addYearMonths(String(month), -1), String(month)),
);

/** Whether the home page shows what the artist has received. */
export const $notesPayments = computed(
  [$recentPayments, $isAskedFor],
  ({ data }, isAskedFor) => isAskedFor || (data?.count ?? 0) > 0,
);

/** null while no month is shown: a query with null in its key loads nothing. */
const $loadedMonth = computed([$notesPayments, $receivedMonth], (isShown, month) =>
  isShown && month !== undefined ? month : null,
);

/** The payments of the shown month, and their sums. */
export const $monthPayments = createQuery(
  ['payments', 'month', $loadedMonth],
  (_resource, _kind, month) => fetchPayments(String(month), String(month)),
);

function fetchPayments(from: YearMonth, to: YearMonth): Promise<PaymentList> {
  const bounds = (month: YearMonth) => {
    const { year, number } = parseYearMonth(month);
    return monthBounds(year, number);
  };
  const query = { first: bounds(from).first, last: bounds(to).last };
  return callAsArtist(listPayments, { query });
}
