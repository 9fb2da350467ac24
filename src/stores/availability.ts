import { atom } from 'nanostores';
import { formatError } from '#client/http.ts';
import { fetchServiceAvailability } from '#client/services.ts';
import type { AvailableDay } from '#contract/availability.ts';
import { addYearMonths, parseYearMonth, type YearMonth } from '#domain/format_time.ts';
import { publicApi } from './api.ts';

/** What is known of a month of a service. */
export type MonthState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly days: readonly AvailableDay[] }
  | { readonly kind: 'failed'; readonly text: string };

export type AvailabilityByMonth = Readonly<Record<YearMonth, MonthState>>;

/** A month of a service as it was when the page was made. */
export interface InitialMonth {
  readonly month: YearMonth;
  readonly days: readonly AvailableDay[];
}

const LOADING: MonthState = { kind: 'loading' };

/**
 * The months of one service at a time, each asked for once.
 * @param initialMonth what came with the page, so that it need not be waited for
 */
export function createAvailability(initialMonth: InitialMonth | null) {
  const $months = atom<AvailabilityByMonth>({});
  // Answers to a service or a refresh that has passed are dropped.
  let requests = new Map<YearMonth, Promise<MonthState>>();
  if (initialMonth) setLoaded(initialMonth.month, { kind: 'ready', days: initialMonth.days });

  async function fetchMonth(serviceId: string, month: YearMonth): Promise<MonthState> {
    const { year, number } = parseYearMonth(month);
    try {
      const { data } = await fetchServiceAvailability(publicApi(), serviceId, year, number);
      return { kind: 'ready', days: data };
    } catch (error) {
      return { kind: 'failed', text: formatError(error) };
    }
  }

  function set(month: YearMonth, state: MonthState): void {
    $months.set({ ...$months.get(), [month]: state });
  }

  function setLoaded(month: YearMonth, state: MonthState): void {
    requests.set(month, Promise.resolve(state));
    set(month, state);
  }

  /** Loads a month unless it is known or on its way; one that failed is tried again. */
  async function load(serviceId: string, month: YearMonth): Promise<MonthState> {
    const known = requests.get(month);
    if (known && $months.get()[month]?.kind !== 'failed') return known;
    const answer = fetchMonth(serviceId, month);
    const current = requests;
    current.set(month, answer);
    set(month, LOADING);
    const state = await answer;
    if (current === requests) set(month, state);
    return state;
  }

  /** Asks for a month again; it stays as it is known until an answer tells otherwise. */
  async function reload(serviceId: string, month: YearMonth): Promise<void> {
    const current = requests;
    const state = await fetchMonth(serviceId, month);
    if (current === requests && state.kind === 'ready') setLoaded(month, state);
  }

  /** Forgets every month: another service, or times that have gone stale. */
  function clear(): void {
    requests = new Map();
    $months.set({});
  }

  /** The first month with an opening after this one, at most `ahead` months on, or null. */
  async function findOpenMonth(
    serviceId: string,
    month: YearMonth,
    ahead: number,
  ): Promise<YearMonth | null> {
    for (let count = 1; count <= ahead; count += 1) {
      const next = addYearMonths(month, count);
      const state = await load(serviceId, next);
      // Where the answer failed, the calendar itself says so and offers another try.
      if (state.kind === 'failed') return next;
      if (state.kind === 'ready' && state.days.length > 0) return next;
    }
    return null;
  }

  return { $months, load, renew: reload, forget: clear, firstOpen: findOpenMonth };
}
