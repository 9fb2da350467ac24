import { tag } from '#cache/policy.ts';
import type {
  AccountQuery,
  CurrentArtist,
  NewArtist,
  SuperuserArtistChanges,
} from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { statusAt } from '#domain/appointment.ts';
import type { MailData } from '#domain/mail.ts';
import { refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { takeLock } from '#server/database/advisory_lock.ts';
import { listOpenAppointments, toAppointmentTime } from '#server/database/appointments.ts';
import * as artists from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { deletePasswordRecovery } from '#server/database/password_recoveries.ts';
import { createArtist, loadArtistSelf, saveProfile, toArtistSelf } from './artists.ts';
import { loadBookingEligibilities } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { invalidating, updateCalendar } from './invalidating.ts';
import type { TokenOwner } from './login.ts';
import { notify, toAppointmentFacts } from './notify.ts';
import { hashPassword, savePasswordAndNotify } from './password.ts';
import { enqueueCancellation } from './payments.ts';
import { deleteImageFiles } from './to_image.ts';

/** How long after giving their password an artist may delete their account. */
const FRESH_LOGIN_MS = 10 * MINUTE_MS;

export async function listAccounts(
  context: Context,
  { search, skip, limit }: AccountQuery,
): Promise<ListPage<CurrentArtist>> {
  const { rows, count } = await artists.listAllArtists(context.database, search, { skip, limit });
  const ids = rows.map(({ id }) => id);
  const hours = await artists.listArtistSchedules(context.database, ids);
  const standings = await loadBookingEligibilities(context, ids, Date.now());
  const data = rows.flatMap((row) => {
    const [theirs, standing] = [hours.get(row.id), standings.get(row.id)];
    return theirs && standing ? [toArtistSelf(context, row, theirs, standing)] : [];
  });
  return { data, count };
}

/** @throws Refusal `username_taken`, `email_taken` */
export function createAccount(context: Context, account: NewArtist): Promise<CurrentArtist> {
  const { is_active, is_superuser } = account;
  return createArtist(context, account, { is_active, is_superuser });
}

/**
 * Superusers stay what they are: of themselves they change neither `is_active` nor `is_superuser`,
 * and of those who are active the last one stays, whoever changes whom at once.
 * A new password and an end of activity end the tokens that are out.
 * @throws Refusal `not_allowed`, `not_found`, `username_taken`, `email_taken`
 */
export async function updateAccount(
  context: Context,
  superuser: TokenOwner,
  id: string,
  { password, is_active, is_superuser, ...profile }: SuperuserArtistChanges,
): Promise<CurrentArtist> {
  if (id === superuser.id && (is_active === false || is_superuser === false))
    throw refuse('not_allowed');
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  const ends = is_active === false || is_superuser === false;
  await saveProfile(context, id, profile, async (transaction) => {
    const change = () =>
      artists.updateArtist(transaction, id, {
        ...(is_active !== undefined && { is_active }),
        ...(is_superuser !== undefined && { is_superuser }),
      });
    await (ends ? withLastSuperuserCheck(transaction, change) : change());
    if (password_hash !== undefined)
      await savePasswordAndNotify(context, transaction, id, password_hash);
    if (is_active === false) await artists.revokeTokens(transaction, id);
    if (password_hash !== undefined || is_active === false)
      await deletePasswordRecovery(transaction, id);
  });
  const self = await loadArtistSelf(context, id);
  // Someone may have looked for them while they were not active.
  await context.invalidate([tag.username(self.username)]);
  return self;
}

/**
 * Deletes an account and keeps nothing of it.
 * @throws Refusal `not_allowed` for the superuser's own and the last one's, `not_found`
 */
export async function deleteAccount(
  context: Context,
  superuser: TokenOwner,
  id: string,
): Promise<void> {
  if (id === superuser.id) throw refuse('not_allowed');
  await deleteAccountAndImages(context, id);
}

/**
 * Deletes the artist's own account, when the password was given just now.
 * @throws Refusal `not_allowed` for superusers, `login_too_old`
 */
export async function deleteOwnAccount(
  context: Context,
  artist: TokenOwner,
  now: number,
): Promise<void> {
  if (artist.isSuperuser) throw refuse('not_allowed');
  if (now - artist.loggedInAt > FRESH_LOGIN_MS) throw refuse('login_too_old');
  await deleteAccountAndImages(context, artist.id);
}

async function deleteAccountAndImages(context: Context, id: string): Promise<void> {
  const images = await invalidating(context, [tag.artist(id)], () =>
    updateCalendar(context, id, async (transaction, now) => {
      const artist = await artists.findArtistById(transaction, id);
      if (!artist) throw refuse('not_found');
      const go = async () => {
        await lockArtistForDeletion(transaction, id);
        await enqueueCancellation(context, transaction, id);
        await notifyClientsOfDeletion(context, transaction, id, now);
        return deleteArtist(transaction, id);
      };
      return artist.is_superuser ? withLastSuperuserCheck(transaction, go) : go();
    }),
  );
  await deleteImageFiles(context, images);
}

/** Has everyone told whose appointment goes with the account. */
async function notifyClientsOfDeletion(
  context: Context,
  transaction: Database,
  artistId: string,
  now: Instant,
): Promise<void> {
  const rows = await listOpenAppointments(transaction, artistId, now);
  const notices = rows.flatMap((row): MailData[] => {
    const status = statusAt({ status: row.status, time: toAppointmentTime(row) }, now);
    if (status === 'expired') return [];
    // As if it had been cancelled first: what is in the client's calendar goes.
    const facts = toAppointmentFacts(row, status === 'confirmed');
    return [
      { kind: 'cancelled', appointment: { ...facts, isGone: true, version: row.version + 1 } },
    ];
  });
  await notify(context, transaction, artistId, notices);
}

/**
 * Ends what a superuser may do, one at a time, so that two cannot end one another.
 * @throws Refusal `not_allowed` when nobody who runs the place would be left
 */
async function withLastSuperuserCheck<T>(transaction: Database, end: () => Promise<T>): Promise<T> {
  await takeLock(transaction, 'superuser');
  const ended = await end();
  if (!(await artists.hasActiveSuperuser(transaction))) throw refuse('not_allowed');
  return ended;
}
