// Booking a service, or a design with a length of its own: the client chooses a service, a day and a
// time, then sends the form.
import type { AppointmentForm } from '#contract/appointment_form.ts';
import { bookService } from '#contract/client_endpoints.ts';
import { callPublic } from './api.ts';
import { type BookingOptions, createBookingChoice } from './booking_choice.ts';
import { readBookingDraft } from './booking_draft.ts';
import { createHeldTime } from './held_time.ts';
import { createSubmission, type SubmitResult } from './submission.ts';
import { takenTimeNotice } from './time_notice.ts';

/** The booking form of one artist. */
export function createBooking(options: BookingOptions) {
  const { username, designId } = options;
  const { submit, ...submission } = createSubmission(username, designId);
  const choice = createBookingChoice(options, submission.$design);
  const { times, attempts, bookedId, isWithoutService } = choice;
  const held = createHeldTime(username);

  /** Goes on without the design. If it was booked without a service, the client must choose one. */
  function dropDesign(): void {
    const wasWithoutService = isWithoutService();
    submission.dropDesign();
    if (wasWithoutService) times.startOver();
  }

  /** Call it after hydration: restores a time chosen before a reload, and loads times. @returns stops loading */
  function startBooking(): () => void {
    const { slot: saved } = readBookingDraft(username);
    if (saved) choice.restoreSaved(saved);
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

  /** Sends the booking. After a conflict, also loads what the client can choose now. */
  async function submitBooking(details: AppointmentForm): Promise<SubmitResult> {
    const chosen = times.$chosenTime.get();
    const service = choice.$service.get();
    // The page never calls this function without both, so `busy` only satisfies the type.
    if (chosen.kind !== 'slot' || bookedId() === null) return { kind: 'busy' };
    const { date, start, end } = chosen;
    const attempt = attempts.attemptFor(start);
    const saveAttempt = (saved: typeof attempt) => {
      attempts.setAttempt(start, saved);
      choice.saveChoice();
    };
    const result = await submit((proof, others) => {
      // Saved before the request: if the client reloads the page now, the result stays unknown.
      saveAttempt({ ...attempt, isOutcomeUnknown: true });
      const body = {
        ...details,
        ...others,
        start,
        end,
        service_id: isWithoutService() ? null : (service?.id ?? null),
      };
      return callPublic(bookService, {
        query: { username },
        header: { 'idempotency-key': attempt.idempotencyKey, ...proof },
        body,
      });
    });
    if (result.kind === 'sent') choice.forgetChoices();
    // This request booked nothing, so `isOutcomeUnknown` gets its earlier value again.
    if (result.kind === 'invalid' || result.kind === 'refused') saveAttempt(attempt);
    if (result.kind === 'conflict') {
      attempts.forgetAttempt(start);
      const isDesignGone = result.reason === 'design_not_available';
      // Only the design is in the way: the time stays chosen, with a new key.
      if (isDesignGone) choice.saveChoice();
      else times.setChosenTime({ kind: 'day', date });
      if (result.reason === 'time_taken')
        times.$timeNotice.set(
          takenTimeNotice(start, times.zone, times.conventions, result.nearest),
        );
      const isGone = result.reason === 'service_not_available';
      if (service !== null && (isGone || result.reason === 'service_changed'))
        await choice.reloadServices(service, isGone);
      // The free times may have changed, or the artist takes no bookings now. For a design that is gone and was
      // booked without a service, the API lists no times.
      if (!isDesignGone || !isWithoutService()) times.refresh();
    }
    return result;
  }

  return {
    ...choice,
    ...submission,
    dropDesign,
    $held: held.$held,
    startBooking,
    resumeBooking,
    submitBooking,
  };
}

export type Booking = ReturnType<typeof createBooking>;
