import * as z from 'zod/mini';
import { PasswordCheck, PasswordToCheck, Signup, UsernameCheck } from '#contract/account_form.ts';
import {
  Artist,
  ArtistListItem,
  CurrentArtist,
  OtherZone,
  OwnArtistChanges,
  PasswordChange,
  ZoneQuery,
} from '#contract/artist.ts';
import {
  DesignPage,
  DesignsPage,
  DesignsPageQuery,
  PortfolioPage,
  SchedulingPage,
  SchedulingPageQuery,
  ServicesPage,
} from '#contract/artist_pages.ts';
import { Availability, MonthQuery } from '#contract/availability.ts';
import { Id, listPageOf, Message, PageQuery, UsernameParam } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { ExplorePage, ExploreQuery } from '#contract/explore.ts';
import { AccessToken, EmailProof } from '#contract/login.ts';
import { OwnerProof } from '#contract/owner_proof.ts';
import { BookingRange, ScheduleChanges } from '#contract/schedule.ts';
import { proveEmail } from '#server/operations/accounts/email_change.ts';
import * as login from '#server/operations/accounts/login.ts';
import { requestEmailProof } from '#server/operations/accounts/prove_email.ts';
import { checkPassword, checkUsername } from '#server/operations/accounts/signup_checks.ts';
import { loadArtistAvailability } from '#server/operations/booking/availability.ts';
import { deleteOwnAccount } from '#server/operations/studio/accounts.ts';
import * as pages from '#server/operations/studio/artist_pages.ts';
import {
  listFindableArtists,
  loadArtist,
  loadCurrentArtist,
  previewZone,
} from '#server/operations/studio/artist_views.ts';
import * as operations from '#server/operations/studio/artists.ts';
import { loadSchedulingPage } from '#server/operations/studio/booking_pages.ts';
import { loadExplorePage } from '#server/operations/studio/explore.ts';
import * as images from '#server/operations/studio/images.ts';
import { encodeMailPicture, renderArtistCard } from '#server/operations/studio/share_cards.ts';
import { ImageField } from './image_field.ts';
import { OWNER_PROOF_TEXT, PROOF_EXAMPLE } from './owner_proof.ts';
import { anyone, artists, route } from './route.ts';
import { JpegBody, ShareImageQuery } from './share_image.ts';

const UsernamePath = z.object({ username: UsernameParam });

/** The body of a new account in the API document. */
export const NEW_ARTIST_EXAMPLE = {
  email: 'rosa@example.com',
  full_name: 'Rosa Quint',
  username: 'rosa_ink',
  password: 'correct horse',
  studio_name: 'Quint Tattoo',
  address_one: '1 Example Street',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  time_zone: 'America/New_York',
};

export const users = [
  route(endpoints.signUp, anyone, {
    summary: 'Sign up as an artist',
    input: { body: Signup },
    example: { ...NEW_ARTIST_EXAMPLE, confirm_password: 'correct horse' },
    status: 201,
    response: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
    rateLimit: 'signup',
    handle: ({ context, network, body }) => {
      const account = { ...body, is_active: true, is_superuser: false };
      return operations.createArtist(context, account, { network });
    },
  }),
  route(endpoints.checkUsername, anyone, {
    summary: 'Whether a username can be had',
    description: 'A username that an artist had before, or that is reserved, cannot be had.',
    input: { path: UsernamePath },
    hidesMissing: true,
    response: UsernameCheck,
    rateLimit: 'signup_check',
    handle: ({ context, path }) => checkUsername(context, path.username),
  }),
  route(endpoints.checkPassword, anyone, {
    summary: 'Whether a new password is not among the most common ones',
    input: { body: PasswordToCheck },
    example: { password: 'correct horse' },
    response: PasswordCheck,
    rateLimit: 'signup_check',
    handle: ({ body }) => checkPassword(body.password),
  }),
  route(endpoints.fetchMe, artists, {
    summary: 'The logged-in artist',
    input: {},
    response: CurrentArtist,
    handle: ({ context, artist, now }) => loadCurrentArtist(context, artist.id, now),
  }),
  route(endpoints.changeMe, artists, {
    summary: 'Change the profile or the studio',
    description:
      'Omitted fields stay unchanged. A new `email` takes `current_password`; the answer has the old `email`, and the new one as `pending_email` until its mailed link is used. The old `email` ends such a wait. `facebook` and `instagram` accept a handle, `@handle` or a profile link.',
    input: { body: OwnArtistChanges },
    example: { about_me: 'I draw birds.', instagram: '@rosa_ink' },
    response: CurrentArtist,
    refusals: [
      'wrong_password',
      'username_taken',
      'too_many_usernames',
      'email_taken',
      'clock_times_overlap',
      'too_many_wrong_passwords',
      'too_many_proof_mails',
    ],
    handle: ({ context, artist, body, now }) =>
      operations.updateOwnAccount(context, artist, body, now),
  }),
  route(endpoints.fetchOtherZone, artists, {
    summary: 'The offsets of another time zone, to preview a change of the studio',
    input: { query: ZoneQuery },
    response: OtherZone,
    handle: ({ query, now }) => previewZone(query.time_zone, now),
  }),
  route(endpoints.undoStudioChange, artists, {
    summary: 'Undo the last change of the address or the time zone',
    description:
      'Within 30 seconds. Restores the studio and the times of its appointments, and drops the mails about the change. Times that were set, confirmed or cancelled since stay. Undoing twice changes nothing.',
    input: {},
    response: CurrentArtist,
    refusals: ['undo_too_late', 'undo_time_taken'],
    handle: ({ context, artist }) => operations.undoStudioChange(context, artist.id),
  }),
  route(endpoints.proveEmail, anyone, {
    summary: "Confirm an artist's email with the token of the mailed link",
    description: 'The link works until the artist changes their email; using it twice is harmless.',
    input: { body: EmailProof },
    example: { token: 'from the link of the mail' },
    response: Message,
    refusals: ['link_not_valid', 'email_taken'],
    rateLimit: 'recovery',
    handle: ({ context, body, userAgent }) =>
      proveEmail(context, body.token, { userAgent, timeZone: undefined }),
  }),
  route(endpoints.requestEmailProof, artists, {
    summary: 'Mail the link that confirms the email again',
    description: 'At most five an hour. Sends nothing when the email is confirmed.',
    input: {},
    refusals: ['rate_limited'],
    handle: ({ context, artist, now }) => requestEmailProof(context, artist.id, now),
  }),
  route(endpoints.deleteMe, artists, {
    summary: 'Delete the account and all its data',
    description: `Superusers are refused; ${OWNER_PROOF_TEXT} Pictures, clients and appointments are deleted too.`,
    input: { body: OwnerProof },
    example: PROOF_EXAMPLE,
    refusals: ['not_allowed', 'deletion_too_soon'],
    ownerProof: ({ body }) => body,
    handle: ({ context, artist, now }) => deleteOwnAccount(context, artist, now),
  }),
  route(endpoints.changeAvatar, artists, {
    summary: 'Set the picture of the artist',
    description: 'It is shown as a circle, so a square is best. The previous one is deleted.',
    input: { body: z.strictObject({ file: ImageField }) },
    response: CurrentArtist,
    rateLimit: 'upload',
    handle: ({ context, artist, body, now }) =>
      images.updateAvatar(context, artist.id, body.file, now),
  }),
  route(endpoints.changePassword, artists, {
    summary: 'Change the password',
    description:
      'Revokes all access tokens, ends a change of the email that waits for its link, deletes the exports, and returns a new token.',
    input: { body: PasswordChange },
    example: { current_password: 'correct horse', new_password: 'battery staple' },
    response: AccessToken,
    refusals: ['wrong_password', 'too_many_wrong_passwords'],
    rateLimit: 'login',
    handle: async ({ context, artist, body }) => ({
      access_token: await login.changePassword(context, artist, body),
      token_type: 'bearer',
    }),
  }),
  route(endpoints.changeSchedule, artists, {
    summary: 'Set the opening hours',
    description: "Times are wall-clock times in the studio's zone. Omitted fields stay unchanged.",
    input: { body: ScheduleChanges },
    example: {
      weekly: [{ weekday: 2, windows: [{ start: '10:00', end: '18:00' }] }],
      buffer_minutes: 15,
    },
    response: CurrentArtist,
    handle: ({ context, artist, body }) => operations.changeSchedule(context, artist.id, body),
  }),
  route(endpoints.changeBookingRange, artists, {
    summary: 'Set how far ahead clients may book',
    description:
      "The dates of a `fixed` range are in the studio's zone, both included. Clients never book over 24 months ahead.",
    input: { body: BookingRange },
    example: { kind: 'rolling', days: 60 },
    response: CurrentArtist,
    handle: ({ context, artist, body }) =>
      operations.changeSchedule(context, artist.id, { booking_range: body }),
  }),
  route(endpoints.fetchArtist, anyone, {
    cached: true,
    summary: 'The public profile of an artist',
    input: { path: UsernamePath },
    response: Artist,
    handle: ({ context, path, now }) => loadArtist(context, path.username, now),
  }),
  route(endpoints.fetchArtistShareImage, anyone, {
    cached: true,
    summary: "The social preview image of the artist's page",
    description: "1200 by 630 pixels, with pictures of the artist's designs and portfolio.",
    input: { path: UsernamePath, query: ShareImageQuery },
    response: JpegBody,
    refusals: ['busy'],
    handle: ({ context, path }) => renderArtistCard(context, path.username),
  }),
  route(endpoints.fetchMailPicture, anyone, {
    cached: true,
    summary: "The artist's profile picture, as mails show it",
    description: '112 by 112 pixels, cut from the middle; not every mail program shows WebP.',
    input: { path: UsernamePath, query: ShareImageQuery },
    response: JpegBody,
    handle: ({ context, path }) => encodeMailPicture(context, path.username),
  }),
  route(endpoints.fetchDesignsPage, anyone, {
    cached: true,
    summary: 'All that the page of an artist shows: the artist and the designs to book',
    description:
      'Without designs to book, the services. Filters that are not among `filters` are ignored.',
    input: { path: UsernamePath, query: DesignsPageQuery },
    response: DesignsPage,
    handle: ({ context, path, query, now }) =>
      pages.loadDesignsPage(context, path.username, query, now),
  }),
  route(endpoints.fetchDesignPage, anyone, {
    cached: true,
    summary: 'All that the page of a design shows: the artist, the design and those beside it',
    description: 'Only an available or claimed design of this artist.',
    input: { path: z.extend(UsernamePath, { design_id: Id }) },
    response: DesignPage,
    handle: ({ context, path, now }) =>
      pages.loadDesignPage(context, path.username, path.design_id, now),
  }),
  route(endpoints.fetchServicesPage, anyone, {
    cached: true,
    summary: "All that the page of an artist's services shows",
    input: { path: UsernamePath },
    response: ServicesPage,
    handle: ({ context, path, now }) => pages.loadServicesPage(context, path.username, now),
  }),
  route(endpoints.fetchPortfolioPage, anyone, {
    cached: true,
    summary: 'All that the page about an artist shows: the artist and the portfolio',
    input: { path: UsernamePath },
    response: PortfolioPage,
    handle: ({ context, path, now }) => pages.loadPortfolioPage(context, path.username, now),
  }),
  route(endpoints.fetchSchedulingPage, anyone, {
    cached: true,
    summary: 'All that the page shows where clients book: the artist, services and first times',
    description: 'Unknown ids of a `design` or a `service` are ignored.',
    input: { path: UsernamePath, query: SchedulingPageQuery },
    response: SchedulingPage,
    handle: ({ context, path, query, now }) =>
      loadSchedulingPage(context, path.username, query, now),
  }),
  route(endpoints.listPublicArtists, anyone, {
    cached: true,
    summary: 'All listed artists, sorted by username',
    description:
      'Active artists who have finished signing up, each with at most 50 designs and 50 portfolio pictures.',
    input: { query: PageQuery },
    response: listPageOf(ArtistListItem),
    handle: ({ context, query, now }) => listFindableArtists(context, query, now),
  }),
  route(endpoints.fetchExplorePage, anyone, {
    cached: true,
    summary: 'All that a page of Explore shows: artists who take bookings, and those who do not',
    description:
      'Active artists with a confirmed email who have finished signing up, unless they are not listed by their own choice.',
    input: { query: ExploreQuery },
    response: ExplorePage,
    handle: ({ context, query, now }) => loadExplorePage(context, query, now),
  }),
  route(endpoints.fetchOwnAvailability, artists, {
    summary: 'The free time of the logged-in artist in a month',
    description: 'Empty while the books are closed.',
    input: { query: MonthQuery },
    response: Availability,
    // `value` leaves out the cache tags: the response to a logged-in artist is not cached.
    handle: async ({ context, artist, query, now }) =>
      (await loadArtistAvailability(context, artist.id, query, now)).value,
  }),
  route(endpoints.fetchArtistAvailability, anyone, {
    cached: true,
    summary: "The free time of an artist in a month, in the studio's time zone",
    description: 'Empty while the books are closed.',
    input: { path: z.object({ user_id: Id }), query: MonthQuery },
    response: Availability,
    handle: ({ context, path, query, now }) =>
      loadArtistAvailability(context, path.user_id, query, now),
  }),
];
