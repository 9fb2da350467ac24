import { atom } from 'nanostores';
import { ApiError, formatError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import { TIME_TAKEN_TEXT } from '#contract/booking_refusals.ts';
import { confirmAppointment, fetchConfirmation } from '#contract/client_endpoints.ts';
import { describeChange } from '#domain/appointment_changes.ts';
import { localDateAt } from '#domain/format_time.ts';
import { callPublic } from './api.ts';
import { forgetHold, readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { type Details, toDetails } from './details.ts';
import { errorText } from './error_text.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { type TimeNotice, takenTimeNotice } from './time_notice.ts';
import { closeErrorToasts, showErrorToast, showSuccessToast } from './toasts.ts';

const CONNECTION_LOST_TEXT = 'The connection was lost. It is safe to try again.';

/** After a deadline, the server's clock may be behind ours. */
const AFTER_DEADLINE_MS = 1_000;
const RECHECK_MS = 30_000;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is different from what the client saw, and free times near to one that is taken. */
interface ChangeNotice extends TimeNotice {
  readonly isTimeTaken: boolean;
}

/**
 * The confirmation page: shows an appointment, and lets the client confirm it.
 * @param mailToken of the mailed link: proves the client's email; null without
 */
export function createConfirmationStore(initial: Confirmation, mailToken: string | null) {
  const $confirmation = atom<Confirmation>(initial);
  const $isConfirming = atom(false);
  const $notice = atom<ChangeNotice | null>(null);
  const path = { appt_id: initial.id };
  const { username } = initial.user;
  /** The artist may have changed it since the page was opened. */
  const zone = () => $confirmation.get().user.studio.time_zone;

  /**
   * Confirms the appointment as the client sees it, and shows success or the error.
   * @returns whether this call confirmed it; false if another call is still running
   */
  async function confirm(): Promise<boolean> {
    if ($isConfirming.get()) return false;
    $isConfirming.set(true);
    closeErrorToasts();
    const { version, times } = $confirmation.get();
    const [time] = times;
    const body = {
      version,
      ...(time && { time_id: time.id }),
      ...(mailToken !== null && { mail_token: mailToken }),
    };
    try {
      $confirmation.set(await callPublic(confirmAppointment, { path, body }));
      $notice.set(null);
      const isBooked = $confirmation.get().status === 'confirmed';
      if (isBooked) forgetHold(username, initial.id);
      const text = isBooked ? 'Appointment created successfully.' : 'Your email is confirmed.';
      showSuccessToast('Success!', text);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await showConflict(error);
      else showErrorToast('Something went wrong.', errorText(error, CONNECTION_LOST_TEXT));
      return false;
    } finally {
      $isConfirming.set(false);
    }
  }

  /** Shows the appointment as it is now and what changed; or as before, if loading fails. */
  async function showConflict(error: ApiError): Promise<void> {
    const { start } = $confirmation.get();
    await reload();
    const text = formatError(error);
    showErrorToast('Something went wrong.', text);
    if (text !== TIME_TAKEN_TEXT || start === null) return;
    const nearest = initial.service === null ? [] : error.nearest;
    $notice.set({ ...takenTimeNotice(start, zone(), nearest), isTimeTaken: true });
  }

  async function reload(): Promise<void> {
    const before = $confirmation.get();
    const after = await callPublic(fetchConfirmation, { path }).catch(() => null);
    if (after === null) return;
    $confirmation.set(after);
    const text = describeChange(before, after);
    if (text !== null) $notice.set({ text, nearest: [], isTimeTaken: false });
  }

  /** Reads the appointment again when a deadline passes. @returns ends it */
  function watchDeadline(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = $confirmation.subscribe(({ lapses_at, can, start }) => {
      clearTimeout(timer);
      const deadline = lapses_at ?? (can.includes('confirm') ? start : null);
      if (deadline === null) return;
      const left = Date.parse(deadline) - Date.now();
      const wait = left > 0 ? left + AFTER_DEADLINE_MS : RECHECK_MS;
      timer = setTimeout(() => void reload(), Math.min(wait, MAX_TIMER_MS));
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }

  /**
   * Chooses another time in the booking form, with what the client has typed before.
   * @returns the URL of the form
   */
  function chooseInForm({ start, end }: Slot): string {
    const { id, service, design } = $confirmation.get();
    const { details, hold } = readBookingDraft(username);
    const sent = hold?.appointmentId === id ? hold.details : null;
    const serviceId = service?.id ?? '';
    const slot = {
      ...{ serviceId, start, end, date: localDateAt(zone(), start) },
      ...{ idempotencyKey: createIdempotencyKey(), isOutcomeUnknown: false },
    };
    saveBookingDraft(username, { slot, details: details ?? sent ?? knownDetails() });
    const search = new URLSearchParams({
      service: serviceId,
      ...(design && { design: design.id }),
    });
    return `/${username}/scheduling?${search}`;
  }

  /** What the page knows of the form. */
  function knownDetails(): Details {
    const { location, size, customer_notes, client } = $confirmation.get();
    const known: Readonly<Record<string, string | null>> = {
      ...{ location, size, customer_notes },
      first_name: client.first_name,
    };
    return toDetails((field) => known[field] ?? '');
  }

  return { $confirmation, $isConfirming, $notice, confirm, reload, watchDeadline, chooseInForm };
}
