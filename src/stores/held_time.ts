// The time that the client holds with an artist, for the booking form.
import { atom } from 'nanostores';
import { ApiError } from '#client/call.ts';
import { serverNow } from '#client/server_clock.ts';
import { fetchConfirmation } from '#contract/client_endpoints.ts';
import { MAX_TIMER_MS, SECOND_MS } from '#domain/time/time.ts';
import { callPublic } from './api.ts';
import { saveBookingDraft } from './booking_draft.ts';
import { forgetHold, readHold, type SavedHold } from './saved_hold.ts';

/** Follows the hold that this browser has saved. */
export function createHeldTime(username: string) {
  /** The hold, if the API says that it still is one. */
  const $held = atom<SavedHold | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks the API about the saved hold. Never rejects. */
  async function check(): Promise<void> {
    clearTimeout(timer);
    const hold = readHold(username);
    if (hold === null) {
      $held.set(null);
      return;
    }
    const { appointmentId } = hold;
    try {
      const path = { appt_id: appointmentId };
      const { status } = await callPublic(fetchConfirmation, { path });
      if (status !== 'held') forgetHold(username, appointmentId);
      // The draft has kept the typed details only for booking another time.
      if (status === 'confirmed') saveBookingDraft(username, { details: null });
    } catch (error) {
      // Without an answer, it is not known whether the client still holds the time.
      if (!(error instanceof ApiError) || error.status !== 404) return;
      forgetHold(username, appointmentId);
    }
    const after = readHold(username);
    // Another tab has saved a newer hold meanwhile: the `storage` event starts another check.
    if (after !== null && after.appointmentId !== appointmentId) return;
    $held.set(after);
    if (after === null) return;
    // At the end of the hold, but never without a pause.
    const wait = Math.max(Date.parse(after.until) - serverNow(), SECOND_MS);
    timer = setTimeout(() => void check(), Math.min(wait, MAX_TIMER_MS));
  }

  /** Checks now, when the hold ends, and when another tab changes it. @returns stops watching */
  function watch(): () => void {
    void check();

    function onStorage(): void {
      if (readHold(username)?.appointmentId !== $held.get()?.appointmentId) void check();
    }
    addEventListener('storage', onStorage);
    return () => {
      clearTimeout(timer);
      removeEventListener('storage', onStorage);
    };
  }

  return { $held, check, watch };
}
