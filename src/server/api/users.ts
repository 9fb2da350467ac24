import * as z from 'zod/mini';
import { Artist, ArtistChanges, ArtistSelf, Signup } from '#contract/artist.ts';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, line } from '#contract/common.ts';
import { ContactMessage, KeptMessage } from '#contract/contact.ts';
import { BookingRange, ScheduleChanges } from '#contract/schedule.ts';
import * as operations from '#server/operations/artists.ts';
import { readFreeStretches } from '#server/operations/availability.ts';
import { artistRoute, publicRoute } from './route.ts';

const ByUsername = z.object({ username: line(100) });

const signup = publicRoute(
  {
    method: 'post',
    path: '/users/signup',
    summary: 'Sign up as an artist',
    takes: { body: Signup },
    status: 201,
    answer: ArtistSelf,
    refusals: ['username_taken', 'email_taken'],
    budget: 'signup',
  },
  ({ parts, body }) => operations.signUp(parts, body),
);

const readMe = artistRoute(
  {
    method: 'get',
    path: '/users/me',
    summary: 'The artist themselves',
    takes: {},
    status: 200,
    answer: ArtistSelf,
  },
  ({ parts, artist }) => operations.readSelf(parts, artist.id),
);

const changeMe = artistRoute(
  {
    method: 'patch',
    path: '/users/me',
    summary: 'Change the profile or the studio',
    description:
      'Fields left out keep their value. `facebook` and `instagram` take a handle, `@handle` or a profile link.',
    takes: { body: ArtistChanges },
    status: 200,
    answer: ArtistSelf,
    refusals: ['username_taken', 'email_taken'],
  },
  ({ parts, artist, body }) => operations.changeArtist(parts, artist.id, body),
);

const changeSchedule = artistRoute(
  {
    method: 'patch',
    path: '/users/me/schedule',
    summary: 'Set the opening hours',
    description: "Wall-clock times in the studio's zone. Fields left out keep their value.",
    takes: { body: ScheduleChanges },
    status: 200,
    answer: ArtistSelf,
  },
  ({ parts, artist, body }) => operations.changeSchedule(parts, artist.id, body),
);

const changeBookingRange = artistRoute(
  {
    method: 'patch',
    path: '/users/me/booking_range',
    summary: 'Set how far ahead clients may book',
    description:
      "Both ends included, in the studio's zone; at most 24 months ahead are ever listed.",
    takes: { body: BookingRange },
    status: 200,
    answer: ArtistSelf,
  },
  ({ parts, artist, body }) => operations.changeBookingRange(parts, artist.id, body),
);

const readArtist = publicRoute(
  {
    method: 'get',
    path: '/users/artist/:username',
    summary: 'The public artist of a username',
    takes: { path: ByUsername },
    status: 200,
    answer: Artist,
    refusals: ['not_found'],
  },
  ({ parts, path }) => operations.readArtist(parts, path.username),
);

const contact = publicRoute(
  {
    method: 'post',
    path: '/users/artist/:username/contact',
    summary: 'Leave a message with an artist',
    takes: { path: ByUsername, body: ContactMessage },
    status: 201,
    answer: KeptMessage,
    refusals: ['not_found'],
    budget: 'contact',
  },
  ({ parts, path, body }) => operations.leaveMessage(parts, path.username, body),
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
  ({ parts, artist, query }) => readFreeStretches(parts, artist.id, query, Date.now()),
);

const availability = publicRoute(
  {
    method: 'get',
    path: '/users/:user_id/availability',
    summary: 'The free stretches of an artist in a month of the studio',
    takes: { path: z.object({ user_id: Id }), query: MonthQuery },
    status: 200,
    answer: Availability,
    refusals: ['not_found'],
  },
  ({ parts, path, query }) => readFreeStretches(parts, path.user_id, query, Date.now()),
);

export const users = [
  signup,
  readMe,
  changeMe,
  changeSchedule,
  changeBookingRange,
  readArtist,
  contact,
  myAvailability,
  availability,
];
