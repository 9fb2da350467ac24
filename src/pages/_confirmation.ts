import { fetchConfirmation } from '#client/appointments.ts';
import type { Transport } from '#client/http.ts';
import type { Confirmation } from '#contract/appointment.ts';

/** Whoever holds the address may confirm, so it is neither kept, listed nor passed on. */
export const CONFIRMATION_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** An appointment by its id; null whatever the reason it cannot be shown. */
export async function findConfirmation(
  http: Transport,
  appointmentId: string,
): Promise<Confirmation | null> {
  return fetchConfirmation(http, appointmentId).catch(() => null);
}

/** The same, when it is of the artist in the path. */
export async function findArtistConfirmation(
  http: Transport,
  username: string,
  appointmentId: string,
): Promise<Confirmation | null> {
  const confirmation = await findConfirmation(http, appointmentId);
  return confirmation?.user.username === username.toLowerCase() ? confirmation : null;
}
