import { atom, computed } from 'nanostores';
import { bookService } from '#client/appointments.ts';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import type { AvailableDay, Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import { addYearMonths, localDateIn, toYearMonth, type YearMonth } from '#domain/show_time.ts';
import { api } from './connection.ts';
import { type DraftPick, keepDraft, readDraft } from './draft.ts';
import { newIdempotencyKey } from './idempotency_key.ts';
import { createMonths, type MonthOfPage, type MonthState } from './months.ts';
import { type Answer, createSubmission } from './submission.ts';
import { tellError } from './toasts.ts';

export type ServiceChoice =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'chosen'; readonly service: Service };

/** The date and time picked. Picking a date clears the time (specification, section 4). */
export type Pick =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'day'; readonly date: string }
  | {
      readonly kind: 'slot';
      readonly date: string;
      readonly slot: Slot;
      readonly key: string;
      readonly unanswered: boolean;
    };

/** The look for a month with openings, after a month without. */
export type LookAhead =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'nothing' };

/** How many months on the look goes. */
const MONTHS_AHEAD = 6;
/** Nothing further ahead is ever listed (contract, Artist). */
const MONTHS_LISTED = 24;

const LOADING: MonthState = { kind: 'loading' };
const TAKEN = 'That time is no longer available. Please pick another.';

export interface BookingOf {
  readonly username: string;
  /** The studio's IANA zone: its dates are the calendar's. */
  readonly zone: string;
  readonly services: readonly Service[];
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** The month that came with the page, of the service given. */
  readonly monthOfPage: MonthOfPage | null;
}

/** The service flow: choose a service, pick a day and a time, send. */
export function createBooking(of: BookingOf) {
  const { username, zone, services, serviceId, designId, monthOfPage } = of;
  const today = localDateIn(zone, Date.now());
  const firstMonth = toYearMonth(today);
  const given = services.find((service) => service.id === serviceId);

  const $choice = atom<ServiceChoice>(
    given ? { kind: 'chosen', service: given } : { kind: 'choosing' },
  );
  const $month = atom<YearMonth>(firstMonth);
  const $pick = atom<Pick>({ kind: 'nothing' });
  const $lookAhead = atom<LookAhead>({ kind: 'idle' });
  /** Whether Save was pressed without a time. */
  const $timeMissing = atom(false);
  const { $months, load, renew, forget, firstOpen } = createMonths(monthOfPage);
  const { $submission, submit, reopen } = createSubmission(username);

  const $shownMonth = computed([$months, $month], (months, month) => months[month] ?? LOADING);
  const $pickedDay = computed([$months, $pick], (months, pick): readonly Slot[] => {
    if (pick.kind === 'nothing') return [];
    return dayOf(months[toYearMonth(pick.date)], pick.date)?.windows ?? [];
  });

  // One key for each time, also when the client returns to a time they had left.
  const keys = new Map<string, string>();

  function chosenId(): string | null {
    const choice = $choice.get();
    return choice.kind === 'chosen' ? choice.service.id : null;
  }

  function setPick(pick: Pick): void {
    $pick.set(pick);
    if (pick.kind === 'slot') $timeMissing.set(false);
    keepDraft(username, { pick: draftPick(pick, chosenId()) });
  }

  /** Loads the shown month and lets go of a picked time that it no longer lists. */
  async function loadShown(): Promise<void> {
    const id = chosenId();
    if (id === null) return;
    await load(id, $month.get());
    letGoUnlisted();
  }

  /** Asks again for what came with the page, which may have been kept a while on its way. */
  async function renewMonth({ month }: MonthOfPage): Promise<void> {
    const id = chosenId();
    if (id === null) return;
    await renew(id, month);
    letGoUnlisted();
  }

  function letGoUnlisted(): void {
    const pick = $pick.get();
    if (pick.kind !== 'slot' || pick.unanswered) return;
    const state = $months.get()[toYearMonth(pick.date)];
    if (state?.kind !== 'ready' || lists(state, pick)) return;
    setPick({ kind: 'day', date: pick.date });
    tellError('Something went wrong.', TAKEN);
  }

  function choose(service: Service): void {
    forget();
    $choice.set({ kind: 'chosen', service });
    setPick({ kind: 'nothing' });
    $timeMissing.set(false);
    showMonth(firstMonth);
  }

  function chooseAgain(): void {
    forget();
    setPick({ kind: 'nothing' });
    $timeMissing.set(false);
    $choice.set({ kind: 'choosing' });
  }

  function showMonth(month: YearMonth): void {
    $month.set(month);
    $lookAhead.set({ kind: 'idle' });
    void loadShown();
  }

  function pickDay(date: string): void {
    setPick({ kind: 'day', date });
  }

  function pickSlot(slot: Slot): void {
    const pick = $pick.get();
    const id = chosenId();
    if (pick.kind === 'nothing' || id === null) return;
    if (pick.kind === 'slot' && pick.slot.start === slot.start) return;
    const name = `${id} ${slot.start}`;
    const key = keys.get(name) ?? newIdempotencyKey();
    keys.set(name, key);
    setPick({ kind: 'slot', date: pick.date, slot, key, unanswered: false });
  }

  /** Shows the next month with openings. */
  async function findOpening(): Promise<void> {
    const id = chosenId();
    const from = $month.get();
    if (id === null || $lookAhead.get().kind === 'searching') return;
    $lookAhead.set({ kind: 'searching' });
    const found = await firstOpen(id, from, MONTHS_AHEAD);
    if (chosenId() !== id || $month.get() !== from) return;
    if (found === null) $lookAhead.set({ kind: 'nothing' });
    else showMonth(found);
  }

  /** What is free may have changed: asks again for the shown month. */
  function refresh(): void {
    forget();
    showMonth($month.get());
  }

  /**
   * Begins in the browser, once what came with the page is on show: takes up what was picked
   * before a reload and looks whether it still holds.
   */
  function open(): void {
    const { pick } = readDraft(username);
    const id = chosenId();
    if (pick && pick.serviceId === id && Date.parse(pick.start) > Date.now()) {
      keys.set(`${id} ${pick.start}`, pick.key);
      const { date, start, end, key, unanswered } = pick;
      setPick({ kind: 'slot', date, slot: { start, end }, key, unanswered });
      $month.set(toYearMonth(date));
    }
    if (monthOfPage) void renewMonth(monthOfPage);
    if ($month.get() !== monthOfPage?.month) void loadShown();
  }

  /** Nothing picked, as at the start; the service stays. */
  function reset(): void {
    setPick({ kind: 'nothing' });
    $timeMissing.set(false);
  }

  /** Sends the form for the picked time. */
  async function send(details: AppointmentForm): Promise<Answer> {
    const pick = $pick.get();
    const id = chosenId();
    if (pick.kind !== 'slot' || id === null) return { kind: 'busy' };
    const { slot, key } = pick;
    const answer = await submit(() => {
      // From here on a reload cannot know whether the time is ours already.
      setPick({ ...pick, unanswered: true });
      const request = { ...details, service_id: id, design_id: designId, ...slot };
      return bookService(api(), username, request, key);
    });
    if (answer.kind === 'sent') keys.clear();
    if (answer.kind === 'invalid' || answer.kind === 'refused') setPick(pick);
    if (answer.kind === 'conflict') {
      keys.delete(`${id} ${slot.start}`);
      setPick({ kind: 'day', date: pick.date });
      refresh();
    }
    return answer;
  }

  return {
    today,
    firstMonth,
    lastMonth: addYearMonths(firstMonth, MONTHS_LISTED),
    $choice,
    $month,
    $months,
    $shownMonth,
    $pick,
    $pickedDay,
    $lookAhead,
    $timeMissing,
    $submission,
    open,
    choose,
    chooseAgain,
    showMonth,
    pickDay,
    pickSlot,
    findOpening,
    refresh,
    reset,
    reopen,
    send,
  };
}
export type Booking = ReturnType<typeof createBooking>;

function dayOf(state: MonthState | undefined, date: string): AvailableDay | undefined {
  return state?.kind === 'ready' ? state.days.find((day) => day.date === date) : undefined;
}

function lists(state: MonthState, { date, slot }: Extract<Pick, { kind: 'slot' }>): boolean {
  return dayOf(state, date)?.windows.some((window) => window.start === slot.start) ?? false;
}

function draftPick(pick: Pick, serviceId: string | null): DraftPick | null {
  if (pick.kind !== 'slot' || serviceId === null) return null;
  const { date, slot, key, unanswered } = pick;
  return { serviceId, date, start: slot.start, end: slot.end, key, unanswered };
}
