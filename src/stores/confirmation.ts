import { atom } from 'nanostores';
import { confirmAppointment, fetchConfirmation } from '#client/appointments.ts';
import { ApiError, formatError } from '#client/http.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { publicApi } from './api.ts';
import { showErrorToast, showSuccessToast } from './toasts.ts';

/** The confirmation page: what it shows, and the client's yes. */
export function createConfirmationStore(initial: Confirmation) {
  const $confirmation = atom<Confirmation>(initial);
  const $isConfirming = atom(false);

  /** Tells whether the appointment is booked now. */
  async function confirm(): Promise<boolean> {
    if ($isConfirming.get()) return false;
    $isConfirming.set(true);
    try {
      $confirmation.set(await confirmAppointment(publicApi(), initial.id));
      showSuccessToast('Success!', 'Appointment created successfully.');
      return true;
    } catch (error) {
      showErrorToast('Something went wrong.', formatConfirmError(error));
      // Something happened to the appointment meanwhile: show what it is now.
      if (error instanceof ApiError && error.status === 409) await reload();
      return false;
    } finally {
      $isConfirming.set(false);
    }
  }

  async function reload(): Promise<void> {
    try {
      $confirmation.set(await fetchConfirmation(publicApi(), initial.id));
    } catch {
      // The refusal has been told; what the page shows stays as it was.
    }
  }

  return { $confirmation, $isConfirming: $isConfirming, confirm };
}

function formatConfirmError(error: unknown): string {
  if (error instanceof ApiError) return formatError(error);
  return 'The connection was lost. It is safe to try again.';
}
