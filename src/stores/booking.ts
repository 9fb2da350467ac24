// Booking a service: the client chooses a service, a day and a time, then sends the form.
import { atom, computed } from 'nanostores';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import type { Slot } from '#contract/availability.ts';
import { bookService, listAvailableServices } from '#contract/client_endpoints.ts';
import type { Service } from '#contract/service.ts';
import { addYearMonths, toYearMonth, type YearMonth } from '#domain/calendar_date.ts';
import { formatShortDayAndTime, localDateAt } from '#domain/format_time.ts';
import { nearestSlots } from '#domain/nearest_slots.ts';
import { callPublic } from './api.ts';
import { createAvailability, type InitialMonth, MONTH_LOADING, slotsOn } from './availability.ts';
import { readBookingDraft, type SavedSlot, saveBookingDraft } from './booking_draft.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createSubmission, type SubmitResult } from './submission.ts';
import { type TimeNotice, takenTimeNotice } from './time_notice.ts';
import { closeErrorToasts } from './toasts.ts';

/** The client's choice; choosing another day removes the time (specification, section 4). */
type ChosenSlot =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'day'; readonly date: string }
  | (SavedSlot & { readonly kind: 'slot' });

/** How many months one search for a month with free times covers. */
const MAX_SEARCHED_MONTHS = 6;
/** How many months the calendar shows after its first: clients can never book further ahead. */
const MAX_MONTHS_AHEAD = 24;

const TIME_MISSING_TEXT = 'Please pick a date and a time before you save.';

interface BookingOptions {
  readonly username: string;
  /** The studio's IANA zone, in which all dates are. */
  readonly zone: string;
  readonly services: readonly Service[];
  /** The service that is chosen at first; null for none. */
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** The free times of one month that our server rendered into the page; they may be stale. */
  readonly initialMonth: InitialMonth | null;
}

export function createBooking(options: BookingOptions) {
  const { username, zone, initialMonth } = options;
  const today = localDateAt(zone, Date.now());
  const firstMonth = toYearMonth(today);

  const $services = atom(options.services);
  /** Why the client must choose a service or a time again, if the service has changed. */
  const $serviceNotice = atom<string | null>(null);
  /** The chosen service; null while the client has chosen none. */
  const $service = atom<Service | null>(
    options.services.find(({ id }) => id === options.serviceId) ?? null,
  );
  const $month = atom<YearMonth>(firstMonth);
  const $chosenSlot = atom<ChosenSlot>({ kind: 'nothing' });
  /** The search for the next month with free times; `nothing` when it found none. */
  const $monthSearch = atom<'idle' | 'searching' | 'nothing'>('idle');
  const $timeNotice = atom<TimeNotice | null>(null);
  const availability = createAvailability(initialMonth);
  const { $months } = availability;
  const { submit, ...submission } = createSubmission(username, options.designId);

  const $shownMonth = computed(
    [$months, $month],
    (months, month) => months[month] ?? MONTH_LOADING,
  );
  const $slotsOfDay = computed([$months, $chosenSlot], (months, chosen): readonly Slot[] =>
    chosen.kind === 'nothing' ? [] : (slotsOn(months, chosen.date) ?? []),
  );

  // Each service and time has one idempotency key, so that a repeated request never books twice.
  const idempotencyKeys = new Map<string, string>();
  const idempotencyKeyName = (serviceId: string, start: string) => `${serviceId} ${start}`;

  function chosenServiceId(): string | null {
    return $service.get()?.id ?? null;
  }

  /** Sets the choice, and saves a chosen time for a reload of the page. */
  function setChosenSlot(chosen: ChosenSlot): void {
    $chosenSlot.set(chosen);
    if (chosen.kind === 'slot') {
      $timeNotice.set(null);
      $serviceNotice.set(null);
    }
    saveBookingDraft(username, { slot: chosen.kind === 'slot' ? chosen : null });
  }

  /** `load` uses a month that is loaded already; `reload` always asks the API. */
  async function loadMonth(month: YearMonth, method: 'load' | 'reload' = 'load'): Promise<void> {
    const serviceId = chosenServiceId();
    if (serviceId === null) return;
    await availability[method](serviceId, month);
    dropUnlistedSlot();
  }

  /** Removes the chosen time and says so, if its month is loaded without this time. */
  function dropUnlistedSlot(): void {
    const chosen = $chosenSlot.get();
    // If an earlier request for this time got no response, it may itself have booked the time.
    if (chosen.kind !== 'slot' || chosen.isOutcomeUnknown) return;
    const { date, start } = chosen;
    const listed = slotsOn($months.get(), date);
    if (!listed || listed.some((slot) => slot.start === start)) return;
    const slots = [-1, 0, 1].flatMap((distance) => {
      const month = $months.get()[addYearMonths(toYearMonth(date), distance)];
      return month?.kind === 'ready' ? month.days.flatMap(({ windows }) => windows) : [];
    });
    setChosenSlot({ kind: 'day', date });
    const text = `${formatShortDayAndTime(start, zone)} is no longer free. Please pick another.`;
    $timeNotice.set({ text, nearest: nearestSlots(slots, start) });
  }

  function chooseService(service: Service): void {
    availability.reset();
    $service.set(service);
    resetChosenSlot();
    showMonth(firstMonth);
  }

  function clearService(): void {
    availability.reset();
    $service.set(null);
    resetChosenSlot();
  }

  /**
   * Reads the services again after the API has refused `before`, and shows what the toast of the
   * refusal does not say.
   */
  async function reloadServices(before: Service, isGone: boolean): Promise<void> {
    const { data } = await callPublic(listAvailableServices, { path: { username } }).catch(() => ({
      data: $services.get().filter(({ id }) => !isGone || id !== before.id),
    }));
    $services.set(data);
    const found = isGone ? undefined : data.find(({ id }) => id === before.id);
    $service.set(found ?? null);
    if (!found)
      $serviceNotice.set(`You had chosen “${before.name}”. Everything you typed is still here.`);
    else if (found.duration !== before.duration)
      $serviceNotice.set(`“${found.name}” takes ${found.duration} minutes now.`);
  }

  function showMonth(month: YearMonth): void {
    $month.set(month);
    $monthSearch.set('idle');
    void loadMonth(month);
  }

  function chooseDay(date: string): void {
    closeErrorToasts();
    setChosenSlot({ kind: 'day', date });
  }

  function chooseSlot({ start, end }: Slot): void {
    closeErrorToasts();
    const chosen = $chosenSlot.get();
    const serviceId = chosenServiceId();
    if (serviceId === null || (chosen.kind === 'slot' && chosen.start === start)) return;
    setSlot(serviceId, { start, end });
  }

  /** Chooses a time with its idempotency key, or with a new one. */
  function setSlot(serviceId: string, { start, end }: Slot): void {
    const name = idempotencyKeyName(serviceId, start);
    const idempotencyKey = idempotencyKeys.get(name) ?? createIdempotencyKey();
    idempotencyKeys.set(name, idempotencyKey);
    const slot = { serviceId, date: localDateAt(zone, start), start, end, idempotencyKey };
    setChosenSlot({ kind: 'slot', ...slot, isOutcomeUnknown: false });
  }

  /** Chooses a time of any month, and shows its month. */
  function chooseNearest(slot: Slot): void {
    chooseSlot(slot);
    showMonth(toYearMonth(localDateAt(zone, slot.start)));
  }

  /** Shows the next month that has free times or fails to load. */
  async function showNextOpenMonth(): Promise<void> {
    const serviceId = chosenServiceId();
    const month = $month.get();
    if (serviceId === null || $monthSearch.get() === 'searching') return;
    $monthSearch.set('searching');
    const openMonth = await availability.findOpenMonth(serviceId, month, MAX_SEARCHED_MONTHS);
    // The client may have chosen another service or month meanwhile.
    if (chosenServiceId() !== serviceId || $month.get() !== month) return;
    if (openMonth === null) $monthSearch.set('nothing');
    else showMonth(openMonth);
  }

  /** Loads the shown month again, and forgets all others: their free times may have changed. */
  function refresh(): void {
    availability.reset();
    showMonth($month.get());
  }

  /** Chooses a time as before a reload, unless it has begun. */
  function restoreSaved(saved: SavedSlot): void {
    if (saved.serviceId !== chosenServiceId() || Date.parse(saved.start) <= Date.now()) return;
    const name = idempotencyKeyName(saved.serviceId, saved.start);
    idempotencyKeys.set(name, saved.idempotencyKey);
    setChosenSlot({ ...saved, kind: 'slot' });
    $month.set(toYearMonth(saved.date));
  }

  /**
   * Call it when the page is hydrated: restores a time chosen before a reload, and loads times.
   * A month that failed to load is tried again when the network returns, or the client to the page.
   * @returns stops trying again
   */
  function startBooking(): () => void {
    const { slot: saved } = readBookingDraft(username);
    if (saved) restoreSaved(saved);
    // The page may come from a cache, so the month in it may be stale.
    if (initialMonth) void loadMonth(initialMonth.month, 'reload');
    if ($month.get() !== initialMonth?.month) void loadMonth($month.get());

    function retry(): void {
      if (!document.hidden && $shownMonth.get().kind === 'failed') void loadMonth($month.get());
    }
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    return () => {
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
    };
  }

  /** Undoes a cancellation, unless the client has chosen another time since. */
  function restoreSlot(saved: SavedSlot): void {
    if ($chosenSlot.get().kind === 'slot') return;
    restoreSaved(saved);
    refresh();
  }

  function resetChosenSlot(): void {
    closeErrorToasts();
    setChosenSlot({ kind: 'nothing' });
    $timeNotice.set(null);
    $serviceNotice.set(null);
  }

  /** Books the chosen time with the details from the form. */
  async function submitBooking(details: AppointmentForm): Promise<SubmitResult> {
    const chosen = $chosenSlot.get();
    const service = $service.get();
    // The page never calls this function without a time, so `busy` only satisfies the type.
    if (chosen.kind !== 'slot' || service === null) return { kind: 'busy' };
    const { date, start, end, idempotencyKey } = chosen;
    const result = await submit((proof, chosenBefore) => {
      // Saved before the request: if the client reloads the page now, the result stays unknown.
      setChosenSlot({ ...chosen, isOutcomeUnknown: true });
      const request = { ...details, ...chosenBefore, service_id: service.id, start, end };
      return callPublic(bookService, {
        query: { username },
        header: { 'idempotency-key': idempotencyKey, ...proof },
        body: request,
      });
    });
    // After a cancellation the client may book this time again, which needs a new key.
    if (result.kind === 'sent') idempotencyKeys.clear();
    // This request booked nothing, so `isOutcomeUnknown` gets its earlier value again.
    if (result.kind === 'invalid' || result.kind === 'refused') setChosenSlot(chosen);
    if (result.kind === 'conflict') {
      idempotencyKeys.delete(idempotencyKeyName(service.id, start));
      setChosenSlot({ kind: 'day', date });
      // Only the design is in the way: the time stays chosen, with a new key.
      if (result.reason === 'design') setSlot(service.id, { start, end });
      if (result.reason === 'time_taken')
        $timeNotice.set(takenTimeNotice(start, zone, result.nearest));
      const isGone = result.reason === 'service_gone';
      if (isGone || result.reason === 'service_changed') await reloadServices(service, isGone);
      // The free times may have changed, or the artist takes no bookings now.
      refresh();
    }
    return result;
  }

  return {
    zone,
    today,
    firstMonth,
    lastMonth: addYearMonths(firstMonth, MAX_MONTHS_AHEAD),
    $service,
    $month,
    $months,
    $shownMonth,
    $chosenSlot,
    $slotsOfDay,
    $monthSearch,
    $timeNotice,
    $services,
    $serviceNotice,
    ...submission,
    startBooking,
    chooseService,
    clearService,
    showMonth,
    chooseDay,
    chooseSlot,
    chooseNearest,
    restoreSlot,
    /** An earlier notice stays: it says more. */
    showTimeMissing: () =>
      $timeNotice.set($timeNotice.get() ?? { text: TIME_MISSING_TEXT, nearest: [] }),
    showNextOpenMonth,
    refresh,
    resetChosenSlot,
    submitBooking,
  };
}
export type Booking = ReturnType<typeof createBooking>;
