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
import { removeSelf } from '#server/operations/accounts.ts';
import * as operations from '#server/operations/artists.ts';
import { readFreeStretches } from '#server/operations/availability.ts';
import { changeAvatar as setAvatar } from '#server/operations/images.ts';
import { changePassword as setPassword } from '#server/operations/login.ts';
import { drawArtistCard } from '#server/operations/share_cards.ts';
import { Picture } from './picture_field.ts';
import { artistRoute, cachedRoute, publicRoute } from './route.ts';
import { Jpeg, ShareImageQuery } from './share_image.ts';

const ByUsername = z.object({ username: UsernameParam });

const signup = publicRoute(
  {
    method: 'post',
    path: '/users/signup',
    summary: 'Sign up as an artist',
    takes: { body: Signup },
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
    answer: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
    budget: 'signup',
  },
  ({ context, body }) => operations.signUp(context, body),
);

const readMe = artistRoute(
  {
    method: 'get',
    path: '/users/me',
    summary: 'The artist themselves',
    takes: {},
    status: 200,
    answer: CurrentArtist,
  },
  ({ context, artist }) => operations.readSelf(context, artist.id),
);

const changeMe = artistRoute(
  {
    method: 'patch',
    path: '/users/me',
    summary: 'Change the profile or the studio',
    description:
      'Fields left out keep their value. `facebook` and `instagram` take a handle, `@handle` or a profile link.',
    takes: { body: ArtistChanges },
    example: { about_me: 'I draw birds.', instagram: '@rosa_ink' },
    status: 200,
    answer: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
  },
  ({ context, artist, body }) => operations.changeArtist(context, artist.id, body),
);

const changeAvatar = artistRoute(
  {
    method: 'patch',
    path: '/users/me/avatar',
    summary: 'Set the picture of the artist',
    description: 'It is shown as a circle, so a square is best. The one before it goes.',
    takes: { body: z.strictObject({ file: Picture }) },
    bodyKind: 'multipart',
    status: 200,
    answer: CurrentArtist,
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
    takes: { body: PasswordChange },
    example: { current_password: 'correct horse', new_password: 'battery staple' },
    status: 200,
    answer: AccessToken,
    refusals: ['wrong_password'],
    budget: 'login',
  },
  async ({ context, artist, body }) => ({
    access_token: await setPassword(context, artist.id, body),
    token_type: 'bearer',
  }),
);

const removeMe = artistRoute(
  {
    method: 'delete',
    path: '/users/me',
    summary: 'Delete the account and all that belongs to it',
    description:
      'With a token of a login that is at most ten minutes old. Nothing is kept: pictures, clients and appointments go too.',
    takes: {},
    status: 204,
    refusals: ['not_allowed', 'login_too_old'],
  },
  ({ context, artist }) => removeSelf(context, artist, Date.now()),
);

const changeSchedule = artistRoute(
  {
    method: 'patch',
    path: '/users/me/schedule',
    summary: 'Set the opening hours',
    description: "Wall-clock times in the studio's zone. Fields left out keep their value.",
    takes: { body: ScheduleChanges },
    example: {
      weekly: [{ weekday: 2, windows: [{ start: '10:00', end: '18:00' }] }],
      buffer_minutes: 15,
    },
    status: 200,
    answer: CurrentArtist,
  },
  ({ context, artist, body }) => operations.changeSchedule(context, artist.id, body),
);

const changeBookingRange = artistRoute(
  {
    method: 'patch',
    path: '/users/me/booking_range',
    summary: 'Set how far ahead clients may book',
    description:
      "Both ends included, in the studio's zone; at most 24 months ahead are ever listed.",
    takes: { body: BookingRange },
    example: { kind: 'rolling', days: 60 },
    status: 200,
    answer: CurrentArtist,
  },
  ({ context, artist, body }) => operations.changeBookingRange(context, artist.id, body),
);

const readArtist = cachedRoute(
  {
    method: 'get',
    path: '/users/artist/:username',
    summary: 'The public artist of a username',
    takes: { path: ByUsername },
    status: 200,
    answer: Artist,
    refusals: ['not_found'],
  },
  ({ context, path }) => operations.readArtist(context, path.username, Date.now()),
);

const readShareImage = cachedRoute(
  {
    method: 'get',
    path: '/users/artist/:username/share-image',
    summary: "The picture that is shown where the artist's page is shared",
    description: '1200 by 630 pixels, drawn of their own art.',
    takes: { path: ByUsername, query: ShareImageQuery },
    status: 200,
    answer: Jpeg,
    answerKind: 'jpeg',
    refusals: ['not_found', 'busy'],
  },
  ({ context, path }) => drawArtistCard(context, path.username),
);

const listFindable = cachedRoute(
  {
    method: 'get',
    path: '/users/artists',
    summary: 'All artists who can be found, by username',
    description:
      'Those who are active and have finished signing up, each with at most 50 pictures of a kind.',
    takes: { query: PageQuery },
    status: 200,
    answer: listPageOf(ArtistListItem),
  },
  ({ context, query }) => operations.listFindableArtists(context, query, Date.now()),
);

const myAvailability = artistRoute(
  {
    method: 'get',
    path: '/users/availability',
    summary: 'The free stretches of the artist themselves',
    takes: { query: MonthQuery },
    status: 200,
    answer: Availability,
  },
  async ({ context, artist, query }) =>
    (await readFreeStretches(context, artist.id, query, Date.now())).value,
);

const availability = cachedRoute(
  {
    method: 'get',
    path: '/users/:user_id/availability',
    summary: 'The free stretches of an artist in a month of the studio',
    takes: { path: z.object({ user_id: Id }), query: MonthQuery },
    status: 200,
    answer: Availability,
    refusals: ['not_found'],
  },
  ({ context, path, query }) => readFreeStretches(context, path.user_id, query, Date.now()),
);

export const users = [
  signup,
  readMe,
  changeMe,
  removeMe,
  changeAvatar,
  changePassword,
  changeSchedule,
  changeBookingRange,
  readArtist,
  readShareImage,
  listFindable,
  myAvailability,
  availability,
];
