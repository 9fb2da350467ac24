import * as z from 'zod/mini';
import {
  Artist,
  ArtistChanges,
  ArtistListItem,
  CurrentArtist,
  PasswordChange,
  Signup,
} from '#contract/artist.ts';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { AccessToken } from '#contract/login.ts';
import { BookingRange, ScheduleChanges } from '#contract/schedule.ts';
import { deleteOwnAccount } from '#server/operations/accounts.ts';
import * as operations from '#server/operations/artists.ts';
import { loadArtistAvailability } from '#server/operations/availability.ts';
import { updateAvatar as setAvatar } from '#server/operations/images.ts';
import { changePassword as setPassword } from '#server/operations/login.ts';
import { drawArtistCard } from '#server/operations/share_cards.ts';
import { ImageField } from './image_field.ts';
import { artistRoute, cachedRoute, publicRoute } from './route.ts';
import { JpegBody, ShareImageQuery } from './share_image.ts';

const UsernamePath = z.object({ username: UsernameParam });

const signup = publicRoute(
  {
    method: 'post',
    path: '/users/signup',
    summary: 'Sign up as an artist',
    input: { body: Signup },
    example: {
      email: 'rosa@example.com',
      full_name: 'Rosa Quint',
      username: 'rosa_ink',
      password: 'correct horse',
      confirm_password: 'correct horse',
      studio_name: 'Quint Tattoo',
      address_one: '1 Example Street',
      city: 'New York',
      state: 'NY',
      zip_code: '10001',
      time_zone: 'America/New_York',
    },
    status: 201,
    response: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
    budget: 'signup',
  },
  ({ context, body }) => operations.signUp(context, body),
);

const getMe = artistRoute(
  {
    method: 'get',
    path: '/users/me',
    summary: 'The artist themselves',
    input: {},
    status: 200,
    response: CurrentArtist,
  },
  ({ context, artist }) => operations.loadArtistSelf(context, artist.id),
);

const updateMe = artistRoute(
  {
    method: 'patch',
    path: '/users/me',
    summary: 'Change the profile or the studio',
    description:
      'Fields left out keep their value. `facebook` and `instagram` take a handle, `@handle` or a profile link.',
    input: { body: ArtistChanges },
    example: { about_me: 'I draw birds.', instagram: '@rosa_ink' },
    status: 200,
    response: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
  },
  ({ context, artist, body }) => operations.updateArtistProfile(context, artist.id, body),
);

const updateAvatar = artistRoute(
  {
    method: 'patch',
    path: '/users/me/avatar',
    summary: 'Set the picture of the artist',
    description: 'It is shown as a circle, so a square is best. The one before it goes.',
    input: { body: z.strictObject({ file: ImageField }) },
    bodyKind: 'multipart',
    status: 200,
    response: CurrentArtist,
    budget: 'upload',
  },
  ({ context, artist, body }) => setAvatar(context, artist.id, body.file),
);

const changePassword = artistRoute(
  {
    method: 'patch',
    path: '/users/me/password',
    summary: 'Change the password',
    description: 'Every token that was out ends; the answer is a new one.',
    input: { body: PasswordChange },
    example: { current_password: 'correct horse', new_password: 'battery staple' },
    status: 200,
    response: AccessToken,
    refusals: ['wrong_password'],
    budget: 'login',
  },
  async ({ context, artist, body }) => ({
    access_token: await setPassword(context, artist.id, body),
    token_type: 'bearer',
  }),
);

const deleteMe = artistRoute(
  {
    method: 'delete',
    path: '/users/me',
    summary: 'Delete the account and all that belongs to it',
    description:
      'With a token of a login that is at most ten minutes old. Nothing is kept: pictures, clients and appointments go too.',
    input: {},
    status: 204,
    refusals: ['not_allowed', 'login_too_old'],
  },
  ({ context, artist }) => deleteOwnAccount(context, artist, Date.now()),
);

const updateSchedule = artistRoute(
  {
    method: 'patch',
    path: '/users/me/schedule',
    summary: 'Set the opening hours',
    description: "Wall-clock times in the studio's zone. Fields left out keep their value.",
    input: { body: ScheduleChanges },
    example: {
      weekly: [{ weekday: 2, windows: [{ start: '10:00', end: '18:00' }] }],
      buffer_minutes: 15,
    },
    status: 200,
    response: CurrentArtist,
  },
  ({ context, artist, body }) => operations.updateSchedule(context, artist.id, body),
);

const updateBookingRange = artistRoute(
  {
    method: 'patch',
    path: '/users/me/booking_range',
    summary: 'Set how far ahead clients may book',
    description:
      "Both ends included, in the studio's zone; at most 24 months ahead are ever listed.",
    input: { body: BookingRange },
    example: { kind: 'rolling', days: 60 },
    status: 200,
    response: CurrentArtist,
  },
  ({ context, artist, body }) => operations.updateBookingRange(context, artist.id, body),
);

const getArtist = cachedRoute(
  {
    method: 'get',
    path: '/users/artist/:username',
    summary: 'The public artist of a username',
    input: { path: UsernamePath },
    status: 200,
    response: Artist,
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.loadArtist(context, path.username, Date.now()),
);

const getShareImage = cachedRoute(
  {
    method: 'get',
    path: '/users/artist/:username/share-image',
    summary: "The picture that is shown where the artist's page is shared",
    description: '1200 by 630 pixels, drawn of their own art.',
    input: { path: UsernamePath, query: ShareImageQuery },
    status: 200,
    response: JpegBody,
    responseKind: 'jpeg',
    refusals: ['not_found', 'busy'],
  },
  ({ context, path }) => drawArtistCard(context, path.username),
);

const listFindableArtists = cachedRoute(
  {
    method: 'get',
    path: '/users/artists',
    summary: 'All artists who can be found, by username',
    description:
      'Those who are active and have finished signing up, each with at most 50 pictures of a kind.',
    input: { query: PageQuery },
    status: 200,
    response: listPageOf(ArtistListItem),
  },
  ({ context, query }) => operations.listFindableArtists(context, query, Date.now()),
);

const getOwnAvailability = artistRoute(
  {
    method: 'get',
    path: '/users/availability',
    summary: 'The free stretches of the artist themselves',
    input: { query: MonthQuery },
    status: 200,
    response: Availability,
  },
  async ({ context, artist, query }) =>
    (await loadArtistAvailability(context, artist.id, query, Date.now())).value,
);

const getArtistAvailability = cachedRoute(
  {
    method: 'get',
    path: '/users/:user_id/availability',
    summary: 'The free stretches of an artist in a month of the studio',
    input: { path: z.object({ user_id: Id }), query: MonthQuery },
    status: 200,
    response: Availability,
    refusals: ['not_found'],
  },
  ({ context, path, query }) => loadArtistAvailability(context, path.user_id, query, Date.now()),
);

export const users = [
  signup,
  getMe,
  updateMe,
  deleteMe,
  updateAvatar,
  changePassword,
  updateSchedule,
  updateBookingRange,
  getArtist,
  getShareImage,
  listFindableArtists,
  getOwnAvailability,
  getArtistAvailability,
];
