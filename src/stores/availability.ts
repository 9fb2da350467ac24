// The free times of one service, or of a design with a length of its own, month by month.
import { atom } from 'nanostores';
import { formatError } from '#client/call.ts';
import type { SchedulingPage } from '#contract/artist_pages.ts';
import type { AvailableDay, Slot } from '#contract/availability.ts';
import { fetchDesignAvailability, fetchServiceAvailability } from '#contract/client_endpoints.ts';
import {
  addYearMonths,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/time/calendar_date.ts';
import { callPublic } from './api.ts';

/** A month of free times. `days` are only those with free times; `text` says why loading failed. */
type MonthState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly days: readonly AvailableDay[] }
  | { readonly kind: 'failed'; readonly text: string };

type Months = Readonly<Record<YearMonth, MonthState>>;

/** A month of free times, as our server rendered it into the page. */
export type InitialMonth = NonNullable<SchedulingPage['first_month']>;

/** The state of a month that is not loaded yet. */
export const MONTH_LOADING: MonthState = { kind: 'loading' };

/**
 * Loads months of one service, or of a design with a length of its own. Call `reset` before another service.
 * @param designId the design's; null when a service is booked. `bookedId` is this id, or that of a service
 */
export function createAvailability(
  initialMonth: InitialMonth | null,
  designId: string | null = null,
) {
  const $months = atom<Months>({});
  // One request for each month. `reset` replaces the map, so that responses to earlier requests are dropped.
  let requests = new Map<YearMonth, Promise<MonthState>>();
  if (initialMonth) setLoaded(initialMonth.month, { kind: 'ready', days: initialMonth.days });

  /** Never rejects. */
  async function fetchMonth(bookedId: string, month: YearMonth): Promise<MonthState> {
    const { year, number } = parseYearMonth(month);
    const query = { year, month: number };
    try {
      const { data } = await (bookedId === designId
        ? callPublic(fetchDesignAvailability, { path: { design_id: bookedId }, query })
        : callPublic(fetchServiceAvailability, { path: { service_id: bookedId }, query }));
      return { kind: 'ready', days: data };
    } catch (error) {
      return { kind: 'failed', text: formatError(error) };
    }
  }

  function setMonthState(month: YearMonth, state: MonthState): void {
    $months.set({ ...$months.get(), [month]: state });
  }

  function setLoaded(month: YearMonth, state: MonthState): void {
    requests.set(month, Promise.resolve(state));
    setMonthState(month, state);
  }

  /** Loads a month, unless it is loaded or loading; a month that failed is tried again. */
  async function load(bookedId: string, month: YearMonth): Promise<MonthState> {
    const earlierRequest = requests.get(month);
    if (earlierRequest && $months.get()[month]?.kind !== 'failed') return earlierRequest;
    const request = fetchMonth(bookedId, month);
    const requestsBefore = requests;
    requests.set(month, request);
    setMonthState(month, MONTH_LOADING);
    const state = await request;
    if (requests === requestsBefore) setMonthState(month, state);
    return state;
  }

  /** Loads a month again. Its old times stay until new times arrive; they stay after a failure. */
  async function reload(bookedId: string, month: YearMonth): Promise<void> {
    const requestsBefore = requests;
    const state = await fetchMonth(bookedId, month);
    if (requests === requestsBefore && state.kind === 'ready') setLoaded(month, state);
  }

  /** Removes every month, because the service changes or the times may be stale. */
  function reset(): void {
    requests = new Map();
    $months.set({});
  }

  /** Returns the first of the `count` months after `month` that has free times or fails to load. */
  async function findOpenMonth(
    bookedId: string,
    month: YearMonth,
    count: number,
  ): Promise<YearMonth | null> {
    for (let ahead = 1; ahead <= count; ahead += 1) {
      const next = addYearMonths(month, ahead);
      const state = await load(bookedId, next);
      // The calendar shows a failed month with a button to try again.
      if (state.kind === 'failed') return next;
      if (state.kind === 'ready' && state.days.length > 0) return next;
    }
    return null;
  }

  return { $months, load, reload, reset, findOpenMonth };
}

/** The free times of a date; undefined while its month is not loaded. */
export function slotsOn(months: Months, date: string): readonly Slot[] | undefined {
  const state = months[toYearMonth(date)];
  if (state?.kind !== 'ready') return undefined;
  return state.days.find((day) => day.date === date)?.windows ?? [];
}
