import { atom } from 'nanostores';
import { ApiError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { confirmAppointment, fetchConfirmation } from '#contract/endpoints.ts';
import { callPublic } from './api.ts';
import { errorText } from './error_text.ts';
import { showErrorToast, showSuccessToast } from './toasts.ts';

const CONNECTION_LOST_TEXT = 'The connection was lost. It is safe to try again.';

/**
 * The confirmation page: shows an appointment, and lets the client confirm it.
 * @param mailToken of the mailed link: proves the client's email; null without
 */
export function createConfirmationStore(initial: Confirmation, mailToken: string | null) {
  const $confirmation = atom<Confirmation>(initial);
  const $isConfirming = atom(false);

  /**
   * Confirms the appointment, and shows success or the error.
   * @returns whether this call confirmed it; false if another call is still running
   */
  async function confirm(): Promise<boolean> {
    if ($isConfirming.get()) return false;
    $isConfirming.set(true);
    try {
      const path = { appt_id: initial.id };
      const body = mailToken === null ? {} : { mail_token: mailToken };
      $confirmation.set(await callPublic(confirmAppointment, { path, body }));
      const isBooked = $confirmation.get().status === 'confirmed';
      const text = isBooked ? 'Appointment created successfully.' : 'Your email is confirmed.';
      showSuccessToast('Success!', text);
      return true;
    } catch (error) {
      showErrorToast('Something went wrong.', errorText(error, CONNECTION_LOST_TEXT));
      // 409: the appointment has changed, so show it as it is now, or as before if loading fails.
      if (error instanceof ApiError && error.status === 409)
        $confirmation.set(
          await callPublic(fetchConfirmation, { path: { appt_id: initial.id } }).catch(() =>
            $confirmation.get(),
          ),
        );
      return false;
    } finally {
      $isConfirming.set(false);
    }
  }

  return { $confirmation, $isConfirming, confirm };
}
