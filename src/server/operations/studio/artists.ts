/** Creating an artist, and changes of an artist's account, profile and schedule. */
import { tag } from '#cache/policy.ts';
import type {
  ArtistChanges,
  CurrentArtist,
  NewArtist,
  OwnArtistChanges,
  PublicEmail,
} from '#contract/artist.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import { isProductUsername, RESERVED_USERNAME_TEXT } from '#domain/accounts/username.ts';
import type { BookingRange } from '#domain/booking/booking_range.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { MAX_FORMER_USERNAMES } from '#domain/requests/list_limits.ts';
import { HOUR_MS, type Instant } from '#domain/time/time.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import * as artists from '#server/database/artists.ts';
import { endPendingEmailChange } from '#server/database/email_changes.ts';
import {
  isFormerUsernameOfOther,
  listFormerUsernames,
  replaceUsername,
} from '#server/database/former_usernames.ts';
import { insertSecurityEvent } from '#server/database/security_events.ts';
import { requestEmailChange, requireUnreservedEmail } from '../accounts/email_change.ts';
import { requireCurrentPassword, requireSameTokenVersion } from '../accounts/login.ts';
import { hashPassword, requireUncommonPassword } from '../accounts/password.ts';
import { limitEmailProofs } from '../accounts/prove_email.ts';
import type { TokenOwner } from '../accounts/sessions.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { currencyOf } from '../currency.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { pauseReminderSweeps } from '../mail/reminders.ts';
import { loadCurrentArtist } from './artist_views.ts';
import { applyStudioChanges, undoStudioChanges } from './studio_move.ts';

/** The creator of an account: a visitor from a network, or a superuser, who vouches for its email. */
type Creator = { readonly network: string } | { readonly superuserId: string };

/** Creates an account, and mails a welcome. */
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
 * An artist changes their own account. A new email only waits until its mailed link is used.
 * @throws Refusal as `saveProfile`; `wrong_password`, `not_signed_in` when a concurrent request revoked all tokens
 * @throws InvalidInput for a new email without the password
 * @throws RateLimited after too many wrong passwords or new emails
 */
export async function updateOwnAccount(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  { email, current_password, ...profile }: OwnArtistChanges,
  now: Instant,
): Promise<CurrentArtist> {
  const tokenState = await checkNewEmail(context, owner, { email, current_password }, now);
  const scope = profileScope(owner.id, profile);
  const savedAt = await change(context, scope, async (context, changedAt) => {
    const { database } = context;
    await saveProfile(context, owner.id, profile, changedAt);
    // The artist chose the email that the account has: another one that waits for its link is dropped.
    if (email !== undefined && tokenState === null) await endPendingEmailChange(database, owner.id);
    if (email !== undefined && tokenState !== null) {
      await artists.lockArtist(database, owner.id);
      await requireSameTokenVersion(database, owner.id, tokenState);
      const before = requireFound(await artists.findArtistById(database, owner.id));
      await requestEmailChange(context, before, email, owner);
    }
    return changedAt;
  });
  return loadCurrentArtist(context, owner.id, savedAt);
}

/** Checks the password, which a new email needs. @returns the token version at the check; null for no new email */
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
    // Null removes the deposit; undefined leaves it.
    deposit: deposit && {
      amount: deposit.amount,
      currency: deposit.currency ?? currencyOf({ ...before, ...changes, ...studio }),
    },
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
 * Changes the username. The old one keeps leading to the artist.
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
 * Refuses a username that another artist had before, or that seems to be the product's. Call this after it is stored.
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

/** Undoes the artist's last change of the studio's address or time zone, shortly after it. */
export async function undoStudioChange(context: Context, artistId: string): Promise<CurrentArtist> {
  const now = await change(context, profileScope(artistId, {}), async (context, now) => {
    await undoStudioChanges(context, artistId, 'studio', now);
    return now;
  });
  return loadCurrentArtist(context, artistId, now);
}
