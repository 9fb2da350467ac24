/** Superusers create and change accounts; they, or artists themselves, delete them. */
import { tag } from '#cache/policy.ts';
import type { AccountQuery, CurrentArtist, SuperuserArtistChanges } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { DELETION_BLOCKERS, EMAIL_UNDO_MS } from '#domain/accounts/security.ts';
import { statusAt } from '#domain/appointments/appointment.ts';
import type { MailData } from '#domain/mail/mail.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import { takeLock } from '#server/database/advisory_lock.ts';
import { listOpenAppointments } from '#server/database/appointment_lists.ts';
import { toAppointmentState } from '#server/database/appointments.ts';
import * as artists from '#server/database/artists.ts';
import type { Transaction } from '#server/database/connect.ts';
import { listFormerUsernames } from '#server/database/former_usernames.ts';
import {
  deletePasswordRecoveries,
  deleteRecoveryLinksOfSuperusers,
} from '#server/database/password_recoveries.ts';
import { hasSecurityEvent, insertSecurityEvent } from '#server/database/security_events.ts';
import { replaceEmail } from '../accounts/email_change.ts';
import { deletePasskeys } from '../accounts/passkeys.ts';
import {
  hashPassword,
  requireUncommonPassword,
  savePasswordAndNotify,
} from '../accounts/password.ts';
import { endSessionsAndExports, type TokenOwner } from '../accounts/sessions.ts';
import { loadBookingEligibilities } from '../booking/booking_eligibility.ts';
import { deleteImageFiles } from '../catalogue/store_images.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAccountSnapshot, toAppointmentSnapshot } from '../mail/notify.ts';
import { enqueueSubscriptionCancellation } from '../payments/payments.ts';
import { loadCurrentArtist, toCurrentArtist } from './artist_views.ts';
import { profileScope, saveProfile } from './artists.ts';

/** Creates the first superuser, unless one exists or an account already has the email. */
export async function ensureSuperuser(
  context: Pick<Context, 'database' | 'invalidate'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await artists.hasSuperuser(context.database)) return;
  const password_hash = await hashPassword(password);
  await change(context, { invalidates: [] }, async ({ database }, now) => {
    await takeLock(database, 'superuser');
    // Checked again: another server may have created a superuser before this server got the lock.
    if (await artists.hasSuperuser(database)) return;
    if (await artists.findCredentials(database, email)) return;
    await artists.insertArtist(
      database,
      // Artists cannot take this username: theirs cannot begin with an underscore.
      {
        email,
        username: '_superuser',
        full_name: 'Superuser',
        password_hash,
        is_superuser: true,
        email_proven_at: new Date(now),
      },
      // Every row of `artists` refers to a studio, so a superuser has an empty one.
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
    );
  });
}

/** For superusers: lists the accounts of artists and superusers, newest first. */
export async function listAccounts(
  context: Context,
  { search, skip, limit }: AccountQuery,
  now: Instant,
): Promise<ListPage<CurrentArtist>> {
  const { rows, count } = await artists.listAllArtists(context.database, search, { skip, limit });
  const ids = rows.map(({ id }) => id);
  const schedules = await artists.listArtistSchedules(context.database, ids);
  const eligibilities = await loadBookingEligibilities(context, ids, now);
  const data = rows.flatMap((row) => {
    const schedule = schedules.get(row.id);
    const eligibility = eligibilities.get(row.id);
    // One of them is missing if the account was deleted between the queries.
    if (!schedule || !eligibility) return [];
    return [toCurrentArtist(context, { row, schedule, eligibility }, now)];
  });
  return { data, count };
}

/**
 * Whether a thief of a superuser's token could do lasting harm with the change: it needs the superuser's
 * password or passkey too.
 */
export function isIrreversible(changes: SuperuserArtistChanges): boolean {
  const { email, username, password, is_superuser, is_active } = changes;
  const identity = [email, username, password, is_superuser];
  return is_active === false || identity.some((value) => value !== undefined);
}

/**
 * A superuser changes the account `id`. A new password or a deactivation revokes the artist's login tokens
 * and their password recovery link; a new password deletes their passkeys too. Records the change.
 * @throws Refusal `not_found`, `username_taken`, `email_taken`; `not_allowed` when superusers would
 *   deactivate or demote themselves, or no active superuser would remain
 */
export async function updateAccount(
  context: Context,
  superuser: TokenOwner,
  id: string,
  changes: SuperuserArtistChanges,
): Promise<CurrentArtist> {
  const { password, is_active, is_superuser, email, ...profile } = changes;
  const couldRemoveSuperuser = is_active === false || is_superuser === false;
  if (id === superuser.id && couldRemoveSuperuser) throw refuse('not_allowed');
  if (password !== undefined) {
    const account = requireFound(await artists.findArtistById(context.database, id));
    const named = { email: email ?? account.email, username: profile.username ?? account.username };
    await requireUncommonPassword('password', password, named);
  }
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  const scope = profileScope(id, profile);
  // If the artist was inactive until now, caches may hold a 404 for each of their usernames, present and
  // former. Its only tag is the username.
  const invalidates = ({ usernames }: { readonly usernames: readonly string[] }) => [
    ...scope.invalidates,
    ...usernames.map(tag.username),
  ];
  const { now } = await change(context, { ...scope, invalidates }, async (context, now) => {
    const { database } = context;
    const before = await saveProfile(context, id, profile, now);
    if (before.is_superuser && couldRemoveSuperuser)
      await deleteRecoveryLinksOfSuperusers(database);
    if (email !== undefined) await replaceEmail(context, before, email, now);
    if (couldRemoveSuperuser) await takeLock(database, 'superuser');
    // Kysely leaves out undefined fields.
    await artists.updateArtist(database, id, { is_active, is_superuser });
    if (couldRemoveSuperuser) await requireActiveSuperuser(database);
    // `savePasswordAndNotify` revokes the login tokens too.
    if (password_hash !== undefined) {
      await savePasswordAndNotify(context, id, password_hash);
      // As with a mailed link: someone else may have added them.
      await deletePasskeys(database, id);
      await insertSecurityEvent(database, { artist_id: id, kind: 'password_changed' });
    }
    if (is_active === false) {
      await artists.revokeTokens(database, id);
      await endSessionsAndExports(database, id);
    }
    if (password_hash !== undefined || is_active === false)
      await deletePasswordRecoveries(database, id);
    await recordChanges(database, superuser.id, before, changes);
    const usernames = [before.username, ...(await listFormerUsernames(database, id))];
    return { usernames, now };
  });
  return loadCurrentArtist(context, id, now);
}

/** Records a superuser's change of an account: whether it is active, and the names of other fields. */
async function recordChanges(
  transaction: Transaction,
  superuserId: string,
  { id: artistId, is_active: wasActive }: artists.OwnArtistRow,
  { is_active: isActive, ...others }: SuperuserArtistChanges,
): Promise<void> {
  const action = { superuser_id: superuserId, artist_id: artistId };
  if (isActive !== undefined && isActive !== wasActive) {
    const kind = isActive ? 'account_reactivated' : 'account_deactivated';
    await insertAdminAction(transaction, { ...action, kind });
  }
  const fields = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (fields.length === 0) return;
  const detail = fields.join(', ');
  await insertAdminAction(transaction, { ...action, kind: 'account_changed', detail });
}

/**
 * A superuser deletes an account with all its data.
 * @throws Refusal `not_found`; `not_allowed` for their own account, and when no active superuser would remain
 */
export async function deleteAccount(
  context: Context,
  superuser: TokenOwner,
  id: string,
): Promise<void> {
  if (id === superuser.id) throw refuse('not_allowed');
  await deleteAccountAndImages(context, id, superuser);
}

/**
 * An artist deletes their own account with all its data.
 * @throws Refusal `not_allowed` for superusers; `not_signed_in` when another call has deleted it meanwhile;
 *   `deletion_too_soon` shortly after a change of the password or the email by a mailed link: its owner may undo it
 */
export async function deleteOwnAccount(
  context: Context,
  artist: TokenOwner,
  now: Instant,
): Promise<void> {
  if (artist.isSuperuser) throw refuse('not_allowed');
  const since = now - EMAIL_UNDO_MS;
  if (await hasSecurityEvent(context.database, artist.id, DELETION_BLOCKERS, since))
    throw refuse('deletion_too_soon');
  await deleteAccountAndImages(context, artist.id, artist);
}

/** @param by the artist, or a superuser */
async function deleteAccountAndImages(context: Context, id: string, by: TokenOwner): Promise<void> {
  const isOwn = id === by.id;
  const imageIds = await change(context, profileScope(id, {}), async (context, now) => {
    const { database } = context;
    const artist = await artists.findArtistById(database, id);
    if (!artist) throw refuse(isOwn ? 'not_signed_in' : 'not_found');
    if (artist.is_superuser) await takeLock(database, 'superuser');
    // New requests without a time do not wait for the lock of the calendar, only for this lock.
    await lockArtistForDeletion(database, id);
    await enqueueSubscriptionCancellation(context, id);
    // Before the deletion, because the mails need the rows of the appointments.
    await notifyClientsOfDeletion(context, id, now);
    const deleted = { kind: 'account_deleted', artist: toAccountSnapshot(artist) } as const;
    await notify(context, { notices: [deleted] });
    await insertSecurityEvent(database, { kind: 'account_deleted' });
    const ids = await deleteArtist(database, id);
    if (artist.is_superuser) {
      await requireActiveSuperuser(database);
      await deleteRecoveryLinksOfSuperusers(database);
    }
    // After the check: of two superusers who delete each other, the second no longer exists.
    const action = { superuser_id: by.id, kind: 'account_deleted' } as const;
    if (!isOwn) await insertAdminAction(database, action);
    return ids;
  });
  await deleteImageFiles(context, imageIds);
}

/** Mails clients that their appointments ahead are cancelled, and that their requests end. */
async function notifyClientsOfDeletion(
  context: InChange<Context>,
  artistId: string,
  now: Instant,
): Promise<void> {
  const rows = await listOpenAppointments(context.database, artistId, now);
  const notices = rows.flatMap((row): MailData[] => {
    const status = statusAt(toAppointmentState(row), now);
    // The client did not confirm in time, so there is nothing to cancel.
    if (status === 'expired') return [];
    const wasBooked = status === 'confirmed';
    const snapshot = toAppointmentSnapshot(row, { wasBooked });
    // Calendar apps remove an event only if the cancellation has a higher version than the event.
    // `isGone`: the mail must not link to the appointment.
    const appointment = {
      ...snapshot,
      isGone: true,
      version: row.version + 1,
      // A request reserves no time, even if it had an offer.
      ...(status === 'requested' && { time: null }),
    };
    return [{ kind: 'cancelled', appointment }];
  });
  await notify(context, { notices });
}

/**
 * Call this after a change that may remove a superuser. Take the lock `superuser` before it: the last two
 * superusers could otherwise remove each other.
 * @throws Refusal `not_allowed` when no active superuser remains
 */
async function requireActiveSuperuser(transaction: Transaction): Promise<void> {
  if (!(await artists.hasActiveSuperuser(transaction))) throw refuse('not_allowed');
}
