import { randomUUID } from 'node:crypto';
import { tag } from '#cache/policy.ts';
import type { Message } from '#contract/common.ts';
import type { PasswordReset, PasswordResetAnswer } from '#contract/login.ts';
import type { AccountSnapshot, MailData } from '#domain/mail/mail.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { widestNetwork } from '#domain/requests/network.ts';
import type { Instant } from '#domain/time/time.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import { findArtistById, findCredentials } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import {
  consumePasswordRecovery,
  issueRecoveryToken,
} from '#server/database/password_recoveries.ts';
import { createMail } from '#server/mail/create_mail.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { isWithinLimits, limitEvent } from '../limits.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { issueDeviceToken, readDeviceToken } from './device_token.ts';
import type { LoginSource } from './login.ts';
import { deletePasskeys } from './passkeys.ts';
import { hashPassword, requireUncommonPassword, savePasswordAndNotify } from './password.ts';
import { saveEmailProof } from './prove_email.ts';
import { insertBrowserEvent, type TokenOwner } from './sessions.ts';

/** What a mail may show to an artist to whom a superuser passes it on: it may greet them by name. */
const PROVEN_RECIPIENT = {
  isKnownToArtist: true,
  isAppointmentProven: false,
  isArtistProven: true,
  shownArtistEmail: null,
  avatar: null,
} as const;

/**
 * Requests a mail with a link for a new password. To hide whether the email has an account, the
 * response and the work until the response are the same with and without one: a job does the rest.
 * @param from the caller's network, and the device token of an earlier login, if there is one
 */
export async function requestPasswordRecovery(
  context: Context,
  email: string,
  from: Pick<LoginSource, 'network' | 'deviceToken'>,
): Promise<Message> {
  await limitEvent(context, ['recovery_network'], { network: from.network });
  if (await countMail(context, email, from)) {
    const job = { kind: 'password_recovery', email, occasion: randomUUID() } as const;
    await change(context, { invalidates: [] }, ({ database, jobs }) =>
      jobs.enqueue(database, [job]),
    );
  }
  return { message: 'We sent an email with a link to get back into your account.' };
}

/**
 * Counts a recovery mail for an email, with or without an account. A browser in which the account has logged
 * in has a limit of its own, which no stranger can use up. An owner in another browser who finds the limit
 * used up has got a mail whose link still works: a link works for as long as the limit lasts.
 * @returns false when no mail may be sent
 */
async function countMail(
  context: Context,
  email: string,
  { network, deviceToken }: Pick<LoginSource, 'network' | 'deviceToken'>,
): Promise<boolean> {
  const device = await readDeviceToken(context, deviceToken);
  const artist = device && (await findActiveAccount(context.database, email));
  if (device && device.artistId === artist?.id)
    return isWithinLimits(context, ['recovery_mails_device'], { device: device.deviceId });
  const causer = { account: email.toLowerCase(), widestNetwork: widestNetwork(network) };
  return isWithinLimits(context, ['recovery_mails_network', 'recovery_mails'], causer);
}

/** Finds the active account (an artist's or superuser's) with this email, in any letter case. */
async function findActiveAccount(database: Database, email: string) {
  const account = await findCredentials(database, email);
  return account?.is_active ? account : undefined;
}

/**
 * Queues a mail with a link for a new password, if an artist has this email. A second call with the
 * same occasion queues no second mail.
 */
export async function queueRecoveryMail(
  context: Context,
  { email, occasion }: { readonly email: string; readonly occasion: string },
): Promise<void> {
  const artist = await findActiveAccount(context.database, email);
  if (!artist) return;
  // The notice (the mail's content) is stored, so it has no token: the sending job creates one.
  const notice = toRecoveryNotice(toAccountSnapshot(artist), occasion);
  await change(context, { invalidates: [] }, (context) => notify(context, { notices: [notice] }));
}

/** The HTML of a recovery mail with a new, working link, for a superuser to pass on to the artist. */
export async function renderRecoveryMail(
  context: Context,
  superuser: TokenOwner,
  email: string,
): Promise<string> {
  const artist = requireFound(await findActiveAccount(context.database, email));
  const { token } = await issueTokenToHandOver(context, superuser, artist.id);
  // Only the `occasion` of a queued notice must be unique.
  const occasion = 'shown';
  const notice = toRecoveryNotice(toAccountSnapshot(artist), occasion);
  const mail = { notice, ...PROVEN_RECIPIENT };
  const tokens = { token, mailTokenOf: () => null, stopToken: null };
  return (await createMail(context.site, [mail], tokens)).html;
}

/**
 * Creates a recovery token that is not mailed, for a superuser to hand over. It opens the account, so the
 * action is recorded, and a mail informs the artist.
 * @throws Refusal `not_found`; `account_not_active` because the token would not work
 */
export function issueTokenToHandOver(
  context: Context,
  { id: superuser_id }: TokenOwner,
  artistId: string,
): Promise<{ readonly token: string; readonly expiresAt: Instant }> {
  return change(context, { lock: 'artist', artistId, invalidates: [] }, async (context) => {
    const artist = requireFound(await findArtistById(context.database, artistId));
    if (!artist.is_active) throw refuse('account_not_active');
    const kind = 'recovery_link_created';
    await insertAdminAction(context.database, { superuser_id, kind, artist_id: artistId });
    const notice = { kind, artist: toAccountSnapshot(artist), occasion: randomUUID() } as const;
    await notify(context, { notices: [notice] });
    return issueRecoveryToken(context.database, artistId, null);
  });
}

/**
 * Sets a new password with a recovery mail's one-time token. Ends the artist's sessions, and deletes
 * their passkeys and their other recovery tokens. The browser of the link becomes one that the account knows.
 * @throws InvalidInput for a common password; the link stays valid
 */
export async function resetPassword(
  context: Context,
  { token, new_password }: PasswordReset,
  source: Omit<LoginSource, 'network'>,
): Promise<PasswordResetAnswer> {
  // Only artists with a proven email are on the Explore page.
  const id = await change(context, { invalidates: [tag.explore()] }, async (context, now) => {
    const { database } = context;
    const used = await consumePasswordRecovery(database, token);
    if (!used) throw refuse('link_not_valid');
    const { artistId, email } = used;
    const artist = requireFound(await findArtistById(database, artistId));
    // The email changed while the mail with the token was being sent.
    if (email !== null && email !== artist.email) throw refuse('link_not_valid');
    await requireUncommonPassword('new_password', new_password, artist);
    // Only a mail to this email carries the token.
    if (email !== null) await saveEmailProof(database, artistId, email, now);
    await savePasswordAndNotify(context, artistId, await hashPassword(new_password));
    // Someone else may have added them, or the device that has them is lost.
    await deletePasskeys(database, artistId);
    // Without an email, a superuser has handed over the link.
    const kind = email === null ? 'password_changed' : 'password_reset';
    await insertBrowserEvent(database, artistId, kind, source);
    return artistId;
  });
  const device = await readDeviceToken(context, source.deviceToken);
  const knownDevice = device?.artistId === id ? device : { hasLoggedIn: false };
  return {
    message: 'Password updated successfully.',
    device_token: await issueDeviceToken(context, id, knownDevice),
  };
}

/** @param occasion unique for each queued mail: equal notices count as duplicates */
function toRecoveryNotice(artist: AccountSnapshot, occasion: string): MailData {
  return { kind: 'password_recovery', artist, occasion };
}
