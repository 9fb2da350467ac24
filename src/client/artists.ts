import type { Artist } from '#contract/artist.ts';
import type { ContactMessage } from '#contract/contact.ts';
import type { Http } from './http.ts';

/** The public artist of a username. */
export function readArtist(http: Http, username: string): Promise<Artist> {
  return http.get(`users/artist/${encodeURIComponent(username)}`).json();
}

/** Leaves a visitor's message with the artist. */
export async function sendContactMessage(
  http: Http,
  username: string,
  message: ContactMessage,
): Promise<void> {
  await http.post(`users/artist/${encodeURIComponent(username)}/contact`, { json: message });
}
