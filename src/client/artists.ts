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

export function fetchArtist(http: Transport, username: string) {
  return http.get(`users/artist/${encodeURIComponent(username)}`).json<Artist>();
}

/** All artists that search engines may index, by username. */
export function listPublicArtists(http: Transport, page: PageParams = {}) {
  return http.get('users/artists', { searchParams: page }).json<ListPage<ArtistListItem>>();
}

/** Sends a visitor's message to the artist. */
export async function sendContactMessage(
  http: Transport,
  username: string,
  json: ContactMessage,
): Promise<void> {
  await http.post(`users/artist/${encodeURIComponent(username)}/contact`, { json });
}

export function signUp(http: Transport, json: z.input<typeof Signup>) {
  return http.post('users/signup', { json }).json<CurrentArtist>();
}

/** The artist who is logged in with the token. */
export function fetchMe(http: Transport) {
  return http.get('users/me').json<CurrentArtist>();
}

/** Fields left out keep their value. */
export function changeMe(http: Transport, json: z.input<typeof ArtistChanges>) {
  return http.patch('users/me', { json }).json<CurrentArtist>();
}

/** The site shows avatars as circles, so a square picture is best. */
export function changeAvatar(http: Transport, file: Blob, upload: UploadOptions = {}) {
  const body = new FormData();
  body.set('file', file);
  return http.patch('users/me/avatar', { body, ...toKyOptions(upload) }).json<CurrentArtist>();
}

/** Invalidates all tokens of the artist and returns a new one. */
export function changePassword(http: Transport, json: PasswordChange) {
  return http.patch('users/me/password', { json }).json<AccessToken>();
}

/** Deletes the account and all its data; the API requires a login of the last few minutes. */
export async function deleteMe(http: Transport): Promise<void> {
  await http.delete('users/me');
}

/** Fields left out keep their value. */
export function changeSchedule(http: Transport, json: ScheduleChanges) {
  return http.patch('users/me/schedule', { json }).json<CurrentArtist>();
}

export function changeBookingRange(http: Transport, json: BookingRange) {
  return http.patch('users/me/booking_range', { json }).json<CurrentArtist>();
}
