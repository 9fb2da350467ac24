// The client's choices in the booking form: a service or a design, and a time. The form's draft keeps them.
import { atom, type ReadableAtom } from 'nanostores';
import { serverNow } from '#client/server_clock.ts';
import type { Slot } from '#contract/availability.ts';
import { listAvailableServices } from '#contract/client_endpoints.ts';
import type { Service } from '#contract/service.ts';
import { type LocalDate, toYearMonth } from '#domain/time/calendar_date.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { callPublic } from './api.ts';
import type { InitialMonth } from './availability.ts';
import { type SavedSlot, saveBookingDraft } from './booking_draft.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createTimeChoice } from './time_choice.ts';

/** What a page gives the booking form. */
export interface BookingOptions {
  readonly username: string;
  /** The studio's IANA zone, in which all dates are. */
  readonly zone: StudioZone;
  readonly services: readonly Service[];
  /** The service that is chosen at first; null for none. */
  readonly serviceId: string | null;
  /** The design that the client has chosen; null for none. */
  readonly designId: string | null;
  /** Whether the design has a length of its own, so that it is booked without a service. */
  readonly hasOwnLength?: boolean;
  /** The date in the studio's zone. */
  readonly today: LocalDate;
  /** The free times of one month that our server rendered into the page; they may be stale. */
  readonly initialMonth: InitialMonth | null;
}

/** The services that the artist offers, and the one that the client has chosen. */
function createServiceChoice(
  username: string,
  services: readonly Service[],
  serviceId: string | null,
) {
  const $services = atom(services);
  /** Null while the client has chosen none. */
  const $service = atom<Service | null>(services.find(({ id }) => id === serviceId) ?? null);
  /** Why the client must choose a service or a time again, if the service has changed. */
  const $serviceNotice = atom<string | null>(null);

  function setService(service: Service | null): void {
    $serviceNotice.set(null);
    $service.set(service);
  }

  /**
   * Reads the services again after the API has refused `before`, and says which choices the client must make again.
   * @param before the service as the client has chosen it
   * @param isGone whether it cannot be booked any more; otherwise it has changed
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

  return { $services, $service, $serviceNotice, setService, reloadServices };
}

interface BookingAttempt {
  readonly idempotencyKey: string;
  /** Whether a request was sent, but no response came: it may have booked the time. */
  readonly isOutcomeUnknown: boolean;
}

/**
 * The attempts to book, one for each service and time. Each has an idempotency key, so that a repeated request
 * never books twice.
 * @param bookedId the id of the service or design that the form books now
 */
function createBookingAttempts(bookedId: () => string | null) {
  const attempts = new Map<string, BookingAttempt>();
  const keyOf = (start: string) => `${bookedId()} ${start}`;
  return {
    /** The attempt to book the time that begins at `start`: the same one at each call, until it is forgotten. */
    attemptFor(start: string): BookingAttempt {
      const attempt = attempts.get(keyOf(start)) ?? {
        idempotencyKey: createIdempotencyKey(),
        isOutcomeUnknown: false,
      };
      attempts.set(keyOf(start), attempt);
      return attempt;
    },
    setAttempt: (start: string, attempt: BookingAttempt) => attempts.set(keyOf(start), attempt),
    /** The next request for this time gets a new key. */
    forgetAttempt: (start: string) => attempts.delete(keyOf(start)),
    forgetAttempts: () => attempts.clear(),
  };
}

/**
 * The client's choice: a service, or a design with a length of its own, and a time.
 * @param $design its id is null without a design, and once the client goes on without it
 */
export function createBookingChoice(
  { username, hasOwnLength = false, designId, ...options }: BookingOptions,
  $design: ReadableAtom<{ readonly id: string | null }>,
) {
  const choice = createServiceChoice(username, options.services, options.serviceId);
  const { $service, $serviceNotice, setService } = choice;
  /** Whether the design is booked alone, by its own length. The client may go on without the design. */
  const isWithoutService = () => hasOwnLength && $design.get().id !== null;
  /** The id of the service, or of the design with a length of its own. */
  const bookedId = () => (isWithoutService() ? designId : ($service.get()?.id ?? null));
  const attempts = createBookingAttempts(bookedId);

  const times = createTimeChoice({
    zone: options.zone,
    today: options.today,
    initialMonth: options.initialMonth,
    bookedId,
    designId: hasOwnLength ? designId : null,
    isMaybeOwn: ({ start }) => attempts.attemptFor(start).isOutcomeUnknown,
  });
  const { $chosenTime } = times;
  /** The time chosen for each service or design, by `bookedId`, for a client who comes back to it. */
  const chosenSlots = new Map<string, Slot>();
  $chosenTime.listen((chosen) => {
    const id = bookedId();
    if (chosen.kind === 'slot') $serviceNotice.set(null);
    if (id !== null) {
      if (chosen.kind === 'slot') chosenSlots.set(id, chosen);
      else chosenSlots.delete(id);
    }
    saveChoice();
  });

  /** Saves the chosen time with its attempt in the draft. */
  function saveChoice(): void {
    const chosen = $chosenTime.get();
    const serviceId = bookedId();
    const slot =
      chosen.kind === 'slot' && serviceId !== null
        ? { serviceId, date: chosen.date, start: chosen.start, end: chosen.end }
        : null;
    saveBookingDraft(username, { slot: slot && { ...slot, ...attempts.attemptFor(slot.start) } });
  }

  /** Chooses the service, and the time that the client has chosen for it before, if any. */
  function chooseService(service: Service): void {
    const slot = chosenSlots.get(service.id);
    setService(service);
    times.startOver();
    if (slot) times.chooseInAnyMonth(slot);
  }

  function clearService(): void {
    setService(null);
    times.startOver();
  }

  /** Chooses a time as before a reload, unless it has begun. */
  function restoreSaved({ serviceId, idempotencyKey, isOutcomeUnknown, ...slot }: SavedSlot): void {
    if (serviceId !== bookedId() || Date.parse(slot.start) <= serverNow()) return;
    attempts.setAttempt(slot.start, { idempotencyKey, isOutcomeUnknown });
    times.setChosenTime({ kind: 'slot', ...slot });
    times.$month.set(toYearMonth(slot.date));
  }

  /** Chooses the time that the cleared form had, unless the client has chosen another time or service since. */
  function restoreSlot(bookedBefore: string, slot: Slot & { readonly date: string }): void {
    if ($chosenTime.get().kind === 'slot' || bookedBefore !== bookedId()) return;
    times.setChosenTime({ ...slot, kind: 'slot' });
    times.$month.set(toYearMonth(slot.date));
    times.refresh();
  }

  /** Call it after a booking: if the client cancels it and books the same time again, that needs a new key. */
  function forgetChoices(): void {
    attempts.forgetAttempts();
    chosenSlots.clear();
  }

  function resetChosenTime(): void {
    times.resetChosenTime();
    $serviceNotice.set(null);
  }

  return {
    ...choice,
    times,
    attempts,
    forgetChoices,
    isWithoutService,
    bookedId,
    saveChoice,
    chooseService,
    clearService,
    restoreSaved,
    restoreSlot,
    resetChosenTime,
  };
}
