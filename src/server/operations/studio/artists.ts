import { type Cacheable, DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import type {
  Artist,
  ArtistChanges,
  ArtistListItem,
  CurrentArtist,
  NewArtist,
  OtherZone,
  OwnArtistChanges,
  PublicEmail,
} from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import {
  type BookingEligibility,
  canTakeBookings,
  eligibilityValidUntil,
} from '#domain/accounts/subscription.ts';
import { isProductUsername, RESERVED_USERNAME_TEXT } from '#domain/accounts/username.ts';
import type { BookingRange } from '#domain/booking/booking_range.ts';
import { booksAt } from '#domain/booking/books.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { MAX_FORMER_USERNAMES, MAX_LISTED_IMAGES } from '#domain/requests/list_limits.ts';
import type { ImageKind } from '#domain/studio/artwork.ts';
import { socialProfileUrl } from '#domain/studio/social.ts';
import { offsetsRange } from '#domain/studio/studio_time.ts';
import { toStyles } from '#domain/studio/style.ts';
import { earliest, HOUR_MS, type Instant, SECOND_MS, toRfc3339 } from '#domain/time/time.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import * as artists from '#server/database/artists.ts';
import { endPendingEmailChange } from '#server/database/email_changes.ts';
import {
  isFormerUsernameOfOther,
  listFormerUsernames,
  replaceUsername,
} from '#server/database/former_usernames.ts';
import { listPublicImages } from '#server/database/images.ts';
import { insertSecurityEvent } from '#server/database/security_events.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { requestEmailChange, requireUnreservedEmail } from '../accounts/email_change.ts';
import { requireCurrentPassword, requireSameTokenVersion } from '../accounts/login.ts';
import { hashPassword, requireUncommonPassword } from '../accounts/password.ts';
import { limitEmailProofs } from '../accounts/prove_email.ts';
import type { TokenOwner } from '../accounts/sessions.ts';
import {
  loadBookingEligibility,
  toBooksStatus,
  toSubscription,
} from '../booking/booking_eligibility.ts';
import { largestImageUrl, toSources } from '../catalogue/to_image.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { countryOf, currencyOf } from '../currency.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { pauseReminderSweeps } from '../mail/reminders.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { offsetsOf, toStudioWithOffsets } from '../to_studio.ts';
import { applyStudioChanges, undoStudioChanges } from './studio_move.ts';

/** The creator of an account: a visitor from a network, or a superuser, who vouches for its email. */
type Creator = { readonly network: string } | { readonly superuserId: string };

/** @throws Refusal `username_taken`, `email_taken` */
export async function createArtist(
  context: Context,
  account: NewArtist,
  creator: Creator,
): Promise<CurrentArtist> {
  const { email, full_name, username, password, is_active, is_superuser, studio_name } = account;
  const { address_one, address_two, city, state, zip_code, time_zone } = account;
  await requireUncommonPassword('password', password, account);
  const password_hash = await hashPassword(password);
  // Caches may hold a 404 for the username.
  const scope = { invalidates: [tag.username(username)] };
  const [id, now] = await change(context, scope, async (context, now) => {
    const { database } = context;
    const email_proven_at = 'network' in creator ? null : new Date(now);
    const id = await artists.insertArtist(
      database,
      { email, full_name, username, password_hash, is_active, is_superuser, email_proven_at },
      { name: studio_name, address_one, address_two, city, state, zip_code, time_zone },
    );
    await requireUnreservedEmail(database, id, email);
    await requireNewUsername(context, id, username);
    const artist = { ...toAccountSnapshot({ id, full_name, email }), username };
    const network = 'network' in creator ? creator.network : undefined;
    const notice = { kind: 'welcome', artist } as const;
    await notify(context, { notices: [notice], source: network });
    if ('superuserId' in creator)
      await insertAdminAction(database, {
        superuser_id: creator.superuserId,
        kind: 'account_created',
        artist_id: id,
      });
    return [id, now] as const;
  });
  return loadCurrentArtist(context, id, now);
}

/**
 * An artist as visitors see them.
 * @throws Refusal `not_found`, also for an inactive artist or a superuser
 */
export async function loadArtist(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const row = await loadPublicArtist(context, username);
  return toCacheableArtist(context, row, now);
}

/** How long a cache stores an answer, and serves it while it is rendered again. */
const MAX_CACHED_MS = (DEFAULT_CACHE_POLICY.maxAge + DEFAULT_CACHE_POLICY.swr) * SECOND_MS;

/** An artist as visitors see them, from the artist's row. */
export async function toCacheableArtist(
  context: Context,
  row: artists.PublicArtistRow,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const eligibility = await loadBookingEligibility(context, row.id, now);
  const value = toArtist(context, row, eligibility, now);
  // The studio's offsets change with the month. This matters only while a cache may have the answer.
  const { isNewAt } = offsetsRange(row.time_zone, now);
  const until = earliest(
    eligibilityValidUntil(eligibility),
    booksAt(row, now).until,
    isNewAt - now < MAX_CACHED_MS ? isNewAt : null,
  );
  return { value, tags: [tag.artist(row.id)], until };
}

/** For the sitemap: the active artists who have finished signing up, ordered by username. */
export async function listFindableArtists(
  { database, images }: Context,
  page: PageQuery,
  now: Instant,
): Promise<Cacheable<ListPage<ArtistListItem>>> {
  const { rows, count } = await artists.listPublicArtists(database, page);
  const artistIds = rows.map(({ id }) => id);
  const publicImages = await listPublicImages(database, artistIds, MAX_LISTED_IMAGES);
  const imagesByArtist = Map.groupBy(publicImages, ({ artist_id }) => artist_id);
  const imagesOf = (artistId: string, imageKind: ImageKind) =>
    (imagesByArtist.get(artistId) ?? []).filter(({ kind }) => kind === imageKind);
  const imageUrls = (artistId: string, imageKind: ImageKind) =>
    imagesOf(artistId, imageKind).map(({ id, widths }) => largestImageUrl(images, id, widths));
  const data = rows.map(({ id, username, scheduling_type }) => ({
    username,
    scheduling_type,
    avatar_url: imageUrls(id, 'avatar')[0] ?? null,
    design_urls: imageUrls(id, 'design'),
    design_ids: imagesOf(id, 'design').flatMap(({ design_id }) => design_id ?? []),
    portfolio_urls: imageUrls(id, 'portfolio'),
  }));
  // No tags, because changes of so many artists would invalidate the list all the time. Instead,
  // the cached list expires at the default maximum age.
  const until = now + DEFAULT_CACHE_POLICY.maxAge * SECOND_MS;
  return { value: { data, count }, tags: [], until };
}

export async function loadCurrentArtist(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<CurrentArtist> {
  const [row, schedule, eligibility] = await Promise.all([
    artists.findArtistById(context.database, artistId),
    artists.findArtistSchedule(context.database, artistId),
    loadBookingEligibility(context, artistId, now),
  ]);
  if (!row || !schedule) throw refuse('not_found');
  return toCurrentArtist(context, { row, schedule, eligibility }, now);
}

/** The offsets that a studio would have in this IANA zone. */
export async function previewZone(zone: string, now: Instant): Promise<OtherZone> {
  const { start, end } = offsetsRange(zone, now);
  return { time_zone: zone, offsets: offsetsOf(zone, [start, end]) };
}

interface Account {
  readonly row: artists.OwnArtistRow;
  readonly schedule: artists.ArtistSchedule;
  readonly eligibility: BookingEligibility;
}

/** The artist's own view of their account; superusers (who manage all accounts) see it too. */
export function toCurrentArtist(
  context: Context,
  { row, schedule: { booking_range, ...schedule }, eligibility }: Account,
  now: Instant,
): CurrentArtist {
  const artist = toArtist(context, row, eligibility, now);
  const { start, end } = offsetsRange(row.time_zone, now);
  return {
    ...artist,
    studio: toStudioWithOffsets(row, [row.created_at.getTime(), start, end]),
    email: row.email,
    books: { ...artist.books, state: row.books?.state ?? null },
    public_email: toPublicEmail(row),
    schedule: {
      // Copies, because the API's types accept no readonly arrays.
      weekly: schedule.weekly.map(({ weekday, windows }) => ({ weekday, windows: [...windows] })),
      exceptions: schedule.exceptions.map(({ date, windows }) => ({ date, windows: [...windows] })),
      slot_interval_minutes: schedule.slot_interval_minutes,
      buffer_minutes: schedule.buffer_minutes,
      minimum_notice_minutes: schedule.minimum_notice_minutes,
      client_cancel_notice_hours: schedule.client_cancel_notice_hours,
      client_move_notice_hours: schedule.client_move_notice_hours,
    },
    booking_range,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    // Hours before an appointment: the earliest reminder comes first.
    reminder_hours: row.reminder_hours.toSorted((a, b) => b - a),
    confirm_by_mail: row.confirm_by_mail,
    is_listed: row.is_listed,
    email_proven: row.email_proven_at !== null,
    pending_email: row.pending_email,
    country: countryOf(row),
    currency: currencyOf(row),
    booking_policy: row.booking_policy,
    deposit: row.deposit,
    subscription: toSubscription(eligibility),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

/**
 * An artist changes their own account. A new email only waits until its mailed link is used.
 * @throws Refusal as `saveProfile`; `wrong_password`, `not_signed_in` when a concurrent request revoked
 *   all tokens
 * @throws InvalidInput for a new email without the password
 * @throws RateLimited after too many wrong passwords or new emails
 */
export async function updateOwnAccount(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  { email, current_password, ...profile }: OwnArtistChanges,
  now: Instant,
): Promise<CurrentArtist> {
  const checked = await checkNewEmail(context, owner, { email, current_password }, now);
  const scope = profileScope(owner.id, profile);
  const savedAt = await change(context, scope, async (context, changedAt) => {
    const { database } = context;
    await saveProfile(context, owner.id, profile, changedAt);
    // The artist chose the email that the account has: another one that waits for its link is dropped.
    if (email !== undefined && checked === null) await endPendingEmailChange(database, owner.id);
    if (email !== undefined && checked !== null) {
      await artists.lockArtist(database, owner.id);
      await requireSameTokenVersion(database, owner.id, checked);
      const before = requireFound(await artists.findArtistById(database, owner.id));
      await requestEmailChange(context, before, email, owner);
    }
    return changedAt;
  });
  return loadCurrentArtist(context, owner.id, savedAt);
}

/** Checks the password, which a new email needs; returns the token version at the check, or null without one. */
async function checkNewEmail(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  { email, current_password }: Pick<OwnArtistChanges, 'email' | 'current_password'>,
  now: Instant,
): Promise<{ readonly token_version: number } | null> {
  if (email === undefined) return null;
  const artist = requireFound(await artists.findArtistById(context.database, owner.id));
  if (email === artist.email) return null;
  if (current_password === undefined)
    throw new InvalidInput(['body', 'current_password'], 'Password is required', 'missing');
  const checked = await requireCurrentPassword(context, owner, current_password);
  await limitEmailProofs(context, { id: owner.id, email }, now);
  return checked;
}

type ProfileChanges = Omit<ArtistChanges, 'email'>;

/** The lock and the tags of a change of a profile: a new studio address or zone changes appointments too. */
export function profileScope(artistId: string, { username }: Pick<ProfileChanges, 'username'>) {
  // Caches may hold a 404 for the new username.
  const usernames = username === undefined ? [] : [tag.username(username)];
  const pages = [tag.availability(artistId), tag.artist(artistId), tag.explore()];
  return calendarScope(artistId, [...pages, ...usernames]);
}

/**
 * Saves an artist's profile and studio, in a change of `profileScope`.
 * @returns the artist before
 * @throws Refusal `not_found`, `username_taken`, `too_many_usernames`, `email_taken`, `clock_times_overlap`
 */
export async function saveProfile(
  context: InChange<Context>,
  artistId: string,
  { studio, tell_clients, keep, public_email, deposit, ...changes }: ProfileChanges,
  now: Instant,
): Promise<artists.OwnArtistRow> {
  const { database } = context;
  const before = requireFound(await artists.findArtistById(database, artistId));
  // A new username locks the artist's row, which a sweep of reminders may need.
  if (studio !== undefined) await pauseReminderSweeps(database);
  await artists.updateArtist(database, artistId, {
    ...changes,
    ...(public_email && {
      public_email_kind: public_email.kind,
      other_public_email: public_email.kind === 'other' ? public_email.email : null,
    }),
    ...(deposit !== undefined && {
      deposit: deposit && {
        amount: deposit.amount,
        currency: deposit.currency ?? currencyOf({ ...before, ...changes, ...studio }),
      },
    }),
  });
  if (changes.username !== undefined && changes.username !== before.username)
    await changeUsername(context, before, changes.username);
  if (public_email) await recordPublicEmail(context, before, public_email, now);
  await applyStudioChanges(context, artistId, { studio, tell_clients, keep }, now);
  return before;
}

/**
 * Mails the artist when clients see another email from now on, which is not the account's: the artist must
 * notice a thief of their token who wants clients' emails. At most one mail an hour, so that it cannot flood.
 */
async function recordPublicEmail(
  context: InChange<Pick<Context, 'jobs'>>,
  before: artists.OwnArtistRow,
  shown: PublicEmail,
  now: Instant,
): Promise<void> {
  if (shown.kind !== 'other' || shown.email === before.other_public_email) return;
  const notice = {
    kind: 'public_email_changed',
    artist: toAccountSnapshot(before),
    newEmail: toEmailHint(shown.email),
    occasion: `${Math.floor(now / HOUR_MS)}`,
  } as const;
  await notify(context, { notices: [notice] });
  await insertSecurityEvent(context.database, {
    artist_id: before.id,
    kind: 'public_email_changed',
  });
}

/**
 * The old username keeps leading to the artist.
 * @throws Refusal `username_taken`; `too_many_usernames`, so that nobody keeps all good names from others
 */
async function changeUsername(
  context: InChange<Context>,
  { id: artistId, username: from }: artists.OwnArtistRow,
  to: string,
): Promise<void> {
  await requireNewUsername(context, artistId, to);
  await replaceUsername(context.database, artistId, { from, to });
  const former = await listFormerUsernames(context.database, artistId);
  if (former.length > MAX_FORMER_USERNAMES) throw refuse('too_many_usernames');
}

/**
 * Refuses a username that another artist had before, or that seems to be the product's. Call this after it
 * is stored.
 * @throws Refusal `username_taken`; InvalidInput
 */
async function requireNewUsername(
  { database, site }: InChange<Pick<Context, 'site'>>,
  artistId: string,
  username: string,
): Promise<void> {
  if (await isFormerUsernameOfOther(database, username, artistId)) throw refuse('username_taken');
  if (isProductUsername(username, site.productName))
    throw new InvalidInput(['body', 'username'], RESERVED_USERNAME_TEXT);
}

/** Saves the given settings of the opening hours and of how far ahead clients may book. */
export async function changeSchedule(
  context: Context,
  artistId: string,
  changes: ScheduleChanges & { booking_range?: BookingRange },
): Promise<CurrentArtist> {
  // The booking range can close the books, which the artist's pages say.
  const pages = changes.booking_range ? [tag.artist(artistId), tag.explore()] : [];
  const invalidates = [tag.availability(artistId), ...pages];
  const now = await change(
    context,
    calendarScope(artistId, invalidates),
    async ({ database }, now) => {
      await artists.updateSchedule(database, artistId, changes);
      return now;
    },
  );
  return loadCurrentArtist(context, artistId, now);
}

/**
 * Undoes the artist's last change of the studio's address or time zone, shortly after it.
 * @throws Refusal `undo_too_late`, `undo_time_taken`
 */
export async function undoStudioChange(context: Context, artistId: string): Promise<CurrentArtist> {
  const now = await change(context, profileScope(artistId, {}), async (context, now) => {
    await undoStudioChanges(context, artistId, 'studio', now);
    return now;
  });
  return loadCurrentArtist(context, artistId, now);
}

function toArtist(
  { images }: Context,
  row: artists.PublicArtistRow,
  eligibility: BookingEligibility,
  now: Instant,
): Artist {
  const books = booksAt(row, now);
  const { start, end } = offsetsRange(row.time_zone, now);
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    ...toAvatar(images, row),
    email: row.public_email,
    facebook_url: row.facebook && socialProfileUrl('facebook', row.facebook),
    instagram_url: row.instagram && socialProfileUrl('instagram', row.instagram),
    about_me: row.about_me,
    styles: toStyles(row.styles),
    scheduling_type: row.scheduling_type,
    studio: toStudioWithOffsets(row, [start, end]),
    taking_bookings: books.isOpen && canTakeBookings(eligibility),
    books: toBooksStatus(books),
  };
}

function toPublicEmail({
  public_email_kind: kind,
  other_public_email: email,
}: Pick<artists.OwnArtistRow, 'public_email_kind' | 'other_public_email'>): PublicEmail {
  if (kind !== 'other') return { kind };
  return email === null ? { kind: 'none' } : { kind, email };
}

/** The URL and the sources of an artist's avatar, if there is one. */
export function toAvatar(
  images: ImageStore,
  {
    avatar_id: id,
    avatar_widths: widths,
    avatar_formats: formats,
  }: Pick<artists.PublicArtistRow, 'avatar_id' | 'avatar_widths' | 'avatar_formats'>,
): Pick<Artist, 'avatar_url' | 'avatar_sources'> {
  if (id === null || widths === null || formats === null)
    return { avatar_url: null, avatar_sources: [] };
  return {
    avatar_url: largestImageUrl(images, id, widths),
    avatar_sources: toSources(images, { id, widths, formats }),
  };
}
