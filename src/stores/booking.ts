// Booking a service, or a design with a length of its own: the client chooses a service, a day and a
// time, then sends the form.
import { atom } from 'nanostores';
import { serverNow } from '#client/server_clock.ts';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import type { Slot } from '#contract/availability.ts';
import { bookService, listAvailableServices } from '#contract/client_endpoints.ts';
import type { Service } from '#contract/service.ts';
import { type LocalDate, toYearMonth } from '#domain/calendar_date.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { callPublic } from './api.ts';
import type { InitialMonth } from './availability.ts';
import { readBookingDraft, type SavedSlot, saveBookingDraft } from './booking_draft.ts';
import { createHeldTime } from './held_time.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createSubmission, type SubmitResult } from './submission.ts';
import { createTimeChoice } from './time_choice.ts';
import { takenTimeNotice } from './time_notice.ts';

interface BookingOptions {
  readonly username: string;
  /** The studio's IANA zone, in which all dates are. */
  readonly zone: StudioZone;
  readonly services: readonly Service[];
  /** The service that is chosen at first; null for none. */
  readonly serviceId: string | null;
  readonly designId: string | null;
  /** Whether the design has a length of its own, so that it is booked without a service. */
  readonly hasOwnLength?: boolean;
  readonly today: LocalDate;
  /** The free times of one month that our server rendered into the page; they may be stale. */
  readonly initialMonth: InitialMonth | null;
}

interface Attempt {
  readonly idempotencyKey: string;
  /** Whether a request was sent, but no response came: it may have booked the time. */
  readonly isOutcomeUnknown: boolean;
}

export function createBooking({ username, designId, ...options }: BookingOptions) {
  const { hasOwnLength = false } = options;
  const $services = atom(options.services);
  /** Why the client must choose a service or a time again, if the service has changed. */
  const $serviceNotice = atom<string | null>(null);
  /** The chosen service; null while the client has chosen none. */
  const $service = atom<Service | null>(
    options.services.find(({ id }) => id === options.serviceId) ?? null,
  );
  const { submit, ...submission } = createSubmission(username, designId);
  const { $design } = submission;
  /** Whether the design is booked without a service. The client may go on without the design. */
  const isOwnLength = () => hasOwnLength && $design.get().id !== null;
  /** The id of the service, or of the design with a length of its own. */
  const bookedId = () => (isOwnLength() ? designId : ($service.get()?.id ?? null));
  const held = createHeldTime(username);

  // Each service and time has one idempotency key, so that a repeated request never books twice.
  const attempts = new Map<string, Attempt>();
  const attemptName = (start: string) => `${bookedId()} ${start}`;

  function attemptFor(start: string): Attempt {
    const attempt = attempts.get(attemptName(start)) ?? {
      idempotencyKey: createIdempotencyKey(),
      isOutcomeUnknown: false,
    };
    attempts.set(attemptName(start), attempt);
    return attempt;
  }

  const times = createTimeChoice({
    zone: options.zone,
    today: options.today,
    initialMonth: options.initialMonth,
    bookedId,
    designId: hasOwnLength ? designId : null,
    isMaybeOwn: ({ start }) => attemptFor(start).isOutcomeUnknown,
  });
  const { $chosenTime, $timeNotice, conventions, zone } = times;
  /** The time chosen for each service, by its id, for a client who comes back to the service. */
  const chosenSlots = new Map<string, Slot>();
  $chosenTime.listen((chosen) => {
    const serviceId = bookedId();
    if (chosen.kind === 'slot') $serviceNotice.set(null);
    if (serviceId !== null) {
      if (chosen.kind === 'slot') chosenSlots.set(serviceId, chosen);
      else chosenSlots.delete(serviceId);
    }
    saveChoice();
  });

  function saveChoice(): void {
    const chosen = $chosenTime.get();
    const serviceId = bookedId();
    const slot =
      chosen.kind === 'slot' && serviceId !== null
        ? { serviceId, date: chosen.date, start: chosen.start, end: chosen.end }
        : null;
    saveBookingDraft(username, { slot: slot && { ...slot, ...attemptFor(slot.start) } });
  }

  function setAttempt(start: string, attempt: Attempt): void {
    attempts.set(attemptName(start), attempt);
    saveChoice();
  }

  /** Chooses the service, and the time that the client has chosen for it before, if any. */
  function chooseService(service: Service): void {
    const slot = chosenSlots.get(service.id);
    $serviceNotice.set(null);
    $service.set(service);
    times.startOver();
    if (slot) times.chooseInAnyMonth(slot);
  }

  function clearService(): void {
    $serviceNotice.set(null);
    $service.set(null);
    times.startOver();
  }

  /** Goes on without the design; without its length, a service must be chosen. */
  function dropDesign(): void {
    const wasOwnLength = isOwnLength();
    submission.dropDesign();
    if (wasOwnLength) times.startOver();
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

  /** Chooses a time as before a reload, unless it has begun. */
  function restoreSaved({ serviceId, idempotencyKey, isOutcomeUnknown, ...slot }: SavedSlot): void {
    if (serviceId !== bookedId() || Date.parse(slot.start) <= serverNow()) return;
    attempts.set(attemptName(slot.start), { idempotencyKey, isOutcomeUnknown });
    times.setChosenTime({ kind: 'slot', ...slot });
    times.$month.set(toYearMonth(slot.date));
  }

  /**
   * Call it when the page is hydrated: restores a time chosen before a reload, and loads times.
   * @returns stops what it has started
   */
  function startBooking(): () => void {
    const { slot: saved } = readBookingDraft(username);
    if (saved) restoreSaved(saved);
    const stopLoading = times.startLoading();
    const stopWatching = held.watch();
    return () => {
      stopLoading();
      stopWatching();
    };
  }

  /** Call it when the browser restores the page from its back/forward cache. */
  function resumeBooking(): void {
    submission.resetSubmission();
    times.refresh();
    void held.check();
  }

  /** Undoes a cancellation, unless the client has chosen another time or service since. */
  function restoreSlot(serviceId: string, slot: Slot & { readonly date: string }): void {
    if ($chosenTime.get().kind === 'slot' || serviceId !== bookedId()) return;
    times.setChosenTime({ ...slot, kind: 'slot' });
    times.$month.set(toYearMonth(slot.date));
    times.refresh();
  }

  function resetChosenTime(): void {
    times.resetChosenTime();
    $serviceNotice.set(null);
  }

  async function submitBooking(details: AppointmentForm): Promise<SubmitResult> {
    const chosen = $chosenTime.get();
    const service = $service.get();
    // The page never calls this function without both, so `busy` only satisfies the type.
    if (chosen.kind !== 'slot' || bookedId() === null) return { kind: 'busy' };
    const { date, start, end } = chosen;
    const attempt = attemptFor(start);
    const result = await submit((proof, chosenBefore) => {
      // Saved before the request: if the client reloads the page now, the result stays unknown.
      setAttempt(start, { ...attempt, isOutcomeUnknown: true });
      const request = {
        ...{ ...details, ...chosenBefore, start, end },
        service_id: isOwnLength() ? null : (service?.id ?? null),
      };
      return callPublic(bookService, {
        query: { username },
        header: { 'idempotency-key': attempt.idempotencyKey, ...proof },
        body: request,
      });
    });
    // After a cancellation the client may book this time again, which needs a new key.
    if (result.kind === 'sent') {
      attempts.clear();
      chosenSlots.clear();
    }
    // This request booked nothing, so `isOutcomeUnknown` gets its earlier value again.
    if (result.kind === 'invalid' || result.kind === 'refused') setAttempt(start, attempt);
    if (result.kind === 'conflict') {
      attempts.delete(attemptName(start));
      // Only the design is in the way: the time stays chosen, with a new key.
      if (result.reason === 'design') saveChoice();
      else times.setChosenTime({ kind: 'day', date });
      if (result.reason === 'time_taken')
        $timeNotice.set(takenTimeNotice(start, zone, conventions, result.nearest));
      const isGone = result.reason === 'service_gone';
      if (service !== null && (isGone || result.reason === 'service_changed'))
        await reloadServices(service, isGone);
      // The free times may have changed, or the artist takes no bookings now. A design that is gone
      // lists none.
      if (result.reason !== 'design' || !isOwnLength()) times.refresh();
    }
    return result;
  }

  return {
    times,
    bookedId,
    isOwnLength,
    $service,
    $services,
    $serviceNotice,
    ...submission,
    dropDesign,
    $held: held.$held,
    startBooking,
    resumeBooking,
    chooseService,
    clearService,
    restoreSlot,
    resetChosenTime,
    submitBooking,
  };
}

export type Booking = ReturnType<typeof createBooking>;
