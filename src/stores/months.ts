import { atom } from 'nanostores';
import { formatError } from '#client/http.ts';
import { fetchServiceAvailability } from '#client/services.ts';
import type { AvailableDay } from '#contract/availability.ts';
import { addYearMonths, parseYearMonth, type YearMonth } from '#domain/show_time.ts';
import { api } from './connection.ts';

/** What is known of a month of a service. */
export type MonthState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly days: readonly AvailableDay[] }
  | { readonly kind: 'failed'; readonly text: string };

export type Months = Readonly<Record<YearMonth, MonthState>>;

/** A month of a service as it was when the page was made. */
export interface MonthOfPage {
  readonly month: YearMonth;
  readonly days: readonly AvailableDay[];
}

const LOADING: MonthState = { kind: 'loading' };

/**
 * The months of one service at a time, each asked for once.
 * @param ofPage what came with the page, so that it need not be waited for
 */
export function createMonths(ofPage: MonthOfPage | null) {
  const $months = atom<Months>({});
  // Answers to a service or a refresh that has passed are dropped.
  let asked = new Map<YearMonth, Promise<MonthState>>();
  if (ofPage) keep(ofPage.month, { kind: 'ready', days: ofPage.days });

  async function ask(serviceId: string, month: YearMonth): Promise<MonthState> {
    const { year, number } = parseYearMonth(month);
    try {
      const { data } = await fetchServiceAvailability(api(), serviceId, year, number);
      return { kind: 'ready', days: data };
    } catch (error) {
      return { kind: 'failed', text: formatError(error) };
    }
  }

  function set(month: YearMonth, state: MonthState): void {
    $months.set({ ...$months.get(), [month]: state });
  }

  function keep(month: YearMonth, state: MonthState): void {
    asked.set(month, Promise.resolve(state));
    set(month, state);
  }

  /** Loads a month unless it is known or on its way; one that failed is tried again. */
  async function load(serviceId: string, month: YearMonth): Promise<MonthState> {
    const known = asked.get(month);
    if (known && $months.get()[month]?.kind !== 'failed') return known;
    const answer = ask(serviceId, month);
    const current = asked;
    current.set(month, answer);
    set(month, LOADING);
    const state = await answer;
    if (current === asked) set(month, state);
    return state;
  }

  /** Asks for a month again; it stays as it is known until an answer tells otherwise. */
  async function renew(serviceId: string, month: YearMonth): Promise<void> {
    const current = asked;
    const state = await ask(serviceId, month);
    if (current === asked && state.kind === 'ready') keep(month, state);
  }

  /** Forgets every month: another service, or times that have gone stale. */
  function forget(): void {
    asked = new Map();
    $months.set({});
  }

  /** The first month with an opening after this one, at most `ahead` months on, or null. */
  async function firstOpen(
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

  return { $months, load, renew, forget, firstOpen };
}
