import type * as z from 'zod/mini';
import type {
  Artist,
  ArtistChanges,
  ArtistListItem,
  CurrentArtist,
  PasswordChange,
  Signup,
} from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { ContactMessage } from '#contract/contact.ts';
import type { AccessToken } from '#contract/login.ts';
import type { BookingRange, ScheduleChanges } from '#contract/schedule.ts';
import type { PageParams, Transport } from './http.ts';
import { toKyOptions, type UploadOptions } from './upload.ts';

/** The public artist of a username. */
export function fetchArtist(http: Transport, username: string): Promise<Artist> {
  return http.get(`users/artist/${encodeURIComponent(username)}`).json();
}

/** Everyone whom search engines may know of, by username. */
export function listPublicArtists(
  http: Transport,
  page: PageParams = {},
): Promise<ListPage<ArtistListItem>> {
  return http.get('users/artists', { searchParams: page }).json();
}

/** Leaves a visitor's message with the artist. */
export async function sendContactMessage(
  http: Transport,
  username: string,
  message: ContactMessage,
): Promise<void> {
  await http.post(`users/artist/${encodeURIComponent(username)}/contact`, { json: message });
}

/** A new artist's account. */
export function signUp(http: Transport, signup: z.input<typeof Signup>): Promise<CurrentArtist> {
  return http.post('users/signup', { json: signup }).json();
}

/** Whom the token speaks for. */
export function fetchMe(http: Transport): Promise<CurrentArtist> {
  return http.get('users/me').json();
}

/** Fields left out keep their value. */
export function changeMe(
  http: Transport,
  changes: z.input<typeof ArtistChanges>,
): Promise<CurrentArtist> {
  return http.patch('users/me', { json: changes }).json();
}

/** A new avatar; it is shown as a circle, so a square is best. */
export function changeAvatar(
  http: Transport,
  file: Blob,
  upload: UploadOptions = {},
): Promise<CurrentArtist> {
  const body = new FormData();
  body.set('file', file);
  return http.patch('users/me/avatar', { body, ...toKyOptions(upload) }).json();
}

/** Ends every token that was out; the answer is a new one. */
export function changePassword(http: Transport, change: PasswordChange): Promise<AccessToken> {
  return http.patch('users/me/password', { json: change }).json();
}

/** Deletes the account and all that belongs to it; the token must come of a login just made. */
export async function deleteMe(http: Transport): Promise<void> {
  await http.delete('users/me');
}

/** Fields left out keep their value. */
export function changeSchedule(http: Transport, changes: ScheduleChanges): Promise<CurrentArtist> {
  return http.patch('users/me/schedule', { json: changes }).json();
}

export function changeBookingRange(http: Transport, range: BookingRange): Promise<CurrentArtist> {
  return http.patch('users/me/booking_range', { json: range }).json();
}
