import type * as z from 'zod/mini';
import type {
  Artist,
  ArtistChanges,
  ArtistSelf,
  ListedArtist,
  PasswordChange,
  Signup,
} from '#contract/artist.ts';
import type { Listed } from '#contract/common.ts';
import type { ContactMessage } from '#contract/contact.ts';
import type { AccessToken } from '#contract/login.ts';
import type { BookingRange, ScheduleChanges } from '#contract/schedule.ts';
import type { Http, PageParams } from './http.ts';
import { type Upload, uploadOptions } from './upload.ts';

/** The public artist of a username. */
export function readArtist(http: Http, username: string): Promise<Artist> {
  return http.get(`users/artist/${encodeURIComponent(username)}`).json();
}

/** Everyone whom search engines may know of, by username. */
export function listFindableArtists(
  http: Http,
  page: PageParams = {},
): Promise<Listed<ListedArtist>> {
  return http.get('users/artists', { searchParams: page }).json();
}

/** Leaves a visitor's message with the artist. */
export async function sendContactMessage(
  http: Http,
  username: string,
  message: ContactMessage,
): Promise<void> {
  await http.post(`users/artist/${encodeURIComponent(username)}/contact`, { json: message });
}

/** A new artist's account. */
export function signUp(http: Http, signup: z.input<typeof Signup>): Promise<ArtistSelf> {
  return http.post('users/signup', { json: signup }).json();
}

/** Whom the token speaks for. */
export function readMe(http: Http): Promise<ArtistSelf> {
  return http.get('users/me').json();
}

/** Fields left out keep their value. */
export function changeMe(http: Http, changes: z.input<typeof ArtistChanges>): Promise<ArtistSelf> {
  return http.patch('users/me', { json: changes }).json();
}

/** A new avatar; it is shown as a circle, so a square is best. */
export function changeAvatar(http: Http, file: Blob, upload: Upload = {}): Promise<ArtistSelf> {
  const body = new FormData();
  body.set('file', file);
  return http.patch('users/me/avatar', { body, ...uploadOptions(upload) }).json();
}

/** Ends every token that was out; the answer is a new one. */
export function changePassword(http: Http, change: PasswordChange): Promise<AccessToken> {
  return http.patch('users/me/password', { json: change }).json();
}

/** Deletes the account and all that belongs to it; the token must come of a login just made. */
export async function deleteMe(http: Http): Promise<void> {
  await http.delete('users/me');
}

/** Fields left out keep their value. */
export function changeSchedule(http: Http, changes: ScheduleChanges): Promise<ArtistSelf> {
  return http.patch('users/me/schedule', { json: changes }).json();
}

export function changeBookingRange(http: Http, range: BookingRange): Promise<ArtistSelf> {
  return http.patch('users/me/booking_range', { json: range }).json();
}
