import { call } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { Transport } from '#contract/endpoint.ts';
import { fetchConfirmation } from '#contract/endpoints.ts';

/** Anyone with the URL may confirm the appointment: never cache it, index it or leak it. */
export const CONFIRMATION_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** The appointment if it is one of this artist's; null also when loading it fails. */
export async function findArtistConfirmation(
  http: Transport,
  username: string,
  appointmentId: string,
): Promise<Confirmation | null> {
  const confirmation = await call(http, fetchConfirmation, {
    path: { appt_id: appointmentId },
  }).catch(() => null);
  return confirmation?.user.username === username.toLowerCase() ? confirmation : null;
}
