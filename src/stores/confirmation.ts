import { atom } from 'nanostores';
import { confirmAppointment, fetchConfirmation } from '#client/appointments.ts';
import { ApiError, formatError } from '#client/http.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { api } from './connection.ts';
import { tellError, tellSuccess } from './toasts.ts';

/** The confirmation page: what it shows, and the client's yes. */
export function createConfirming(initial: Confirmation) {
  const $confirmation = atom<Confirmation>(initial);
  const $confirming = atom(false);

  /** Tells whether the appointment is booked now. */
  async function confirm(): Promise<boolean> {
    if ($confirming.get()) return false;
    $confirming.set(true);
    try {
      $confirmation.set(await confirmAppointment(api(), initial.id));
      tellSuccess('Success!', 'Appointment created successfully.');
      return true;
    } catch (error) {
      tellError('Something went wrong.', confirmFailureText(error));
      // Something happened to the appointment meanwhile: show what it is now.
      if (error instanceof ApiError && error.status === 409) await reread();
      return false;
    } finally {
      $confirming.set(false);
    }
  }

  async function reread(): Promise<void> {
    try {
      $confirmation.set(await fetchConfirmation(api(), initial.id));
    } catch {
      // The refusal has been told; what the page shows stays as it was.
    }
  }

  return { $confirmation, $confirming, confirm };
}

function confirmFailureText(error: unknown): string {
  if (error instanceof ApiError) return formatError(error);
  return 'The connection was lost. It is safe to try again.';
}
