import { atom, computed } from 'nanostores';
import { bookService } from '#client/appointments.ts';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import type { AvailableDay, Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import { addYearMonths, localDateIn, toYearMonth, type YearMonth } from '#domain/format_time.ts';
import { publicApi } from './api.ts';
import { createAvailability, type InitialMonth, type MonthState } from './availability.ts';
import { readBookingDraft, type SavedSlot, saveBookingDraft } from './booking_draft.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createSubmission, type SubmitResult } from './submission.ts';
import { showErrorToast } from './toasts.ts';

export type ServiceChoice =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'chosen'; readonly service: Service };

/** The date and time picked. Picking a date clears the time (specification, section 4). */
export type ChosenSlot =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'day'; readonly date: string }
  | {
      readonly kind: 'slot';
      readonly date: string;
      readonly slot: Slot;
      readonly idempotencyKey: string;
      readonly isOutcomeUnknown: boolean;
    };

/** The look for a month with openings, after a month without. */
export type MonthSearch =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'nothing' };

/** How many months on the look goes. */
const MAX_SEARCHED_MONTHS = 6;
/** Nothing further ahead is ever listed (contract, Artist). */
const MAX_LISTED_MONTHS = 24;

const MONTH_LOADING: MonthState = { kind: 'loading' };
const TIME_TAKEN_TEXT = 'That time is no longer available. Please pick another.';

export interface BookingOptions {
  readonly username: string;
  /** The studio's IANA zone: its dates are the calendar's. */
  readonly zone: string;
  readonly services: readonly Service[];
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** The month that came with the page, of the service given. */
  readonly initialMonth: InitialMonth | null;
}

/** The service flow: choose a service, pick a day and a time, send. */
export function createBooking(of: BookingOptions) {
  const { username, zone, services, serviceId, designId, initialMonth } = of;
  const today = localDateIn(zone, Date.now());
  const firstMonth = toYearMonth(today);
  const given = services.find((service) => service.id === serviceId);

  const $serviceChoice = atom<ServiceChoice>(
    given ? { kind: 'chosen', service: given } : { kind: 'choosing' },
  );
  const $month = atom<YearMonth>(firstMonth);
  const $chosenSlot = atom<ChosenSlot>({ kind: 'nothing' });
  const $monthSearch = atom<MonthSearch>({ kind: 'idle' });
  /** Whether Save was pressed without a time. */
  const $isTimeMissing = atom(false);
  const {
    $months,
    load,
    renew: reload,
    forget: clearMonths,
    firstOpen: findOpenMonth,
  } = createAvailability(initialMonth);
  const { $submission, submit, reset: resetSubmission } = createSubmission(username);

  const $shownMonth = computed(
    [$months, $month],
    (months, month) => months[month] ?? MONTH_LOADING,
  );
  const $slotsOfDay = computed([$months, $chosenSlot], (months, pick): readonly Slot[] => {
    if (pick.kind === 'nothing') return [];
    return findDay(months[toYearMonth(pick.date)], pick.date)?.windows ?? [];
  });

  // One key for each time, also when the client returns to a time they had left.
  const idempotencyKeys = new Map<string, string>();

  function chosenServiceId(): string | null {
    const choice = $serviceChoice.get();
    return choice.kind === 'chosen' ? choice.service.id : null;
  }

  function setChosenSlot(pick: ChosenSlot): void {
    $chosenSlot.set(pick);
    if (pick.kind === 'slot') $isTimeMissing.set(false);
    saveBookingDraft(username, { slot: toSavedSlot(pick, chosenServiceId()) });
  }

  /** Loads the shown month and lets go of a picked time that it no longer lists. */
  async function loadShownMonth(): Promise<void> {
    const id = chosenServiceId();
    if (id === null) return;
    await load(id, $month.get());
    clearUnlistedSlot();
  }

  /** Asks again for what came with the page, which may have been kept a while on its way. */
  async function reloadInitialMonth({ month }: InitialMonth): Promise<void> {
    const id = chosenServiceId();
    if (id === null) return;
    await reload(id, month);
    clearUnlistedSlot();
  }

  function clearUnlistedSlot(): void {
    const pick = $chosenSlot.get();
    if (pick.kind !== 'slot' || pick.isOutcomeUnknown) return;
    const state = $months.get()[toYearMonth(pick.date)];
    if (state?.kind !== 'ready' || isListed(state, pick)) return;
    setChosenSlot({ kind: 'day', date: pick.date });
    showErrorToast('Something went wrong.', TIME_TAKEN_TEXT);
  }

  function chooseService(service: Service): void {
    clearMonths();
    $serviceChoice.set({ kind: 'chosen', service });
    setChosenSlot({ kind: 'nothing' });
    $isTimeMissing.set(false);
    showMonth(firstMonth);
  }

  function clearService(): void {
    clearMonths();
    setChosenSlot({ kind: 'nothing' });
    $isTimeMissing.set(false);
    $serviceChoice.set({ kind: 'choosing' });
  }

  function showMonth(month: YearMonth): void {
    $month.set(month);
    $monthSearch.set({ kind: 'idle' });
    void loadShownMonth();
  }

  function chooseDay(date: string): void {
    setChosenSlot({ kind: 'day', date });
  }

  function chooseSlot(slot: Slot): void {
    const pick = $chosenSlot.get();
    const id = chosenServiceId();
    if (pick.kind === 'nothing' || id === null) return;
    if (pick.kind === 'slot' && pick.slot.start === slot.start) return;
    const name = `${id} ${slot.start}`;
    const key = idempotencyKeys.get(name) ?? createIdempotencyKey();
    idempotencyKeys.set(name, key);
    setChosenSlot({
      kind: 'slot',
      date: pick.date,
      slot,
      idempotencyKey: key,
      isOutcomeUnknown: false,
    });
  }

  /** Shows the next month with openings. */
  async function showNextOpenMonth(): Promise<void> {
    const id = chosenServiceId();
    const from = $month.get();
    if (id === null || $monthSearch.get().kind === 'searching') return;
    $monthSearch.set({ kind: 'searching' });
    const found = await findOpenMonth(id, from, MAX_SEARCHED_MONTHS);
    if (chosenServiceId() !== id || $month.get() !== from) return;
    if (found === null) $monthSearch.set({ kind: 'nothing' });
    else showMonth(found);
  }

  /** What is free may have changed: asks again for the shown month. */
  function refresh(): void {
    clearMonths();
    showMonth($month.get());
  }

  /**
   * Begins in the browser, once what came with the page is on show: takes up what was picked
   * before a reload and looks whether it still holds.
   */
  function startBooking(): void {
    const { slot: pick } = readBookingDraft(username);
    const id = chosenServiceId();
    if (pick && pick.serviceId === id && Date.parse(pick.start) > Date.now()) {
      idempotencyKeys.set(`${id} ${pick.start}`, pick.idempotencyKey);
      const { date, start, end, idempotencyKey: key, isOutcomeUnknown: unanswered } = pick;
      setChosenSlot({
        kind: 'slot',
        date,
        slot: { start, end },
        idempotencyKey: key,
        isOutcomeUnknown: unanswered,
      });
      $month.set(toYearMonth(date));
    }
    if (initialMonth) void reloadInitialMonth(initialMonth);
    if ($month.get() !== initialMonth?.month) void loadShownMonth();
  }

  /** Nothing picked, as at the start; the service stays. */
  function reset(): void {
    setChosenSlot({ kind: 'nothing' });
    $isTimeMissing.set(false);
  }

  /** Sends the form for the picked time. */
  async function submitBooking(details: AppointmentForm): Promise<SubmitResult> {
    const pick = $chosenSlot.get();
    const id = chosenServiceId();
    if (pick.kind !== 'slot' || id === null) return { kind: 'busy' };
    const { slot, idempotencyKey: key } = pick;
    const answer = await submit(() => {
      // From here on a reload cannot know whether the time is ours already.
      setChosenSlot({ ...pick, isOutcomeUnknown: true });
      const request = { ...details, service_id: id, design_id: designId, ...slot };
      return bookService(publicApi(), username, request, key);
    });
    if (answer.kind === 'sent') idempotencyKeys.clear();
    if (answer.kind === 'invalid' || answer.kind === 'refused') setChosenSlot(pick);
    if (answer.kind === 'conflict') {
      idempotencyKeys.delete(`${id} ${slot.start}`);
      setChosenSlot({ kind: 'day', date: pick.date });
      refresh();
    }
    return answer;
  }

  return {
    today,
    firstMonth,
    lastMonth: addYearMonths(firstMonth, MAX_LISTED_MONTHS),
    $serviceChoice: $serviceChoice,
    $month,
    $months,
    $shownMonth,
    $chosenSlot: $chosenSlot,
    $slotsOfDay: $slotsOfDay,
    $monthSearch: $monthSearch,
    $isTimeMissing: $isTimeMissing,
    $submission,
    startBooking: startBooking,
    chooseService: chooseService,
    clearService: clearService,
    showMonth,
    chooseDay: chooseDay,
    chooseSlot: chooseSlot,
    showNextOpenMonth: showNextOpenMonth,
    refresh,
    reset,
    resetSubmission: resetSubmission,
    submitBooking: submitBooking,
  };
}
export type Booking = ReturnType<typeof createBooking>;

function findDay(state: MonthState | undefined, date: string): AvailableDay | undefined {
  return state?.kind === 'ready' ? state.days.find((day) => day.date === date) : undefined;
}

function isListed(
  state: MonthState,
  { date, slot }: Extract<ChosenSlot, { kind: 'slot' }>,
): boolean {
  return findDay(state, date)?.windows.some((window) => window.start === slot.start) ?? false;
}

function toSavedSlot(pick: ChosenSlot, serviceId: string | null): SavedSlot | null {
  if (pick.kind !== 'slot' || serviceId === null) return null;
  const { date, slot, idempotencyKey: key, isOutcomeUnknown: unanswered } = pick;
  return {
    serviceId,
    date,
    start: slot.start,
    end: slot.end,
    idempotencyKey: key,
    isOutcomeUnknown: unanswered,
  };
}
