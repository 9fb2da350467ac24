import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Message } from '#contract/common.ts';
import type { PasswordReset } from '#contract/login.ts';
import type { MailData } from '#domain/mail.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time.ts';
import { withLock } from '#server/database/advisory_lock.ts';
import { countRecoveryMails } from '#server/database/mails.ts';
import * as recoveries from '#server/database/password_recoveries.ts';
import { createMail } from '#server/mail/create_mail.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { hashPassword, savePasswordAndNotify } from './password.ts';

/** 192 bits cannot be guessed, and the link still fits on one line of a mail. */
const TOKEN_BYTES = 24;

type RecoverableArtist = NonNullable<Awaited<ReturnType<typeof recoveries.findRecoverableArtist>>>;

/**
 * Requests a mail with a link for a new password. To hide whether the email has an account, the
 * response and the work until the response are always the same: a job does the rest.
 */
export async function requestPasswordRecovery(
  { database, jobs }: Context,
  email: string,
): Promise<Message> {
  const job = { kind: 'password_recovery', email, occasion: randomUUID() } as const;
  await database.transaction().execute((transaction) => jobs.enqueue(transaction, [job]));
  return { message: 'We sent an email with a link to get back into your account.' };
}

/**
 * Queues a mail with a link for a new password, if an artist has this email. A mail beyond the
 * artist's quota is silently skipped. A second call with the same occasion queues no second mail.
 */
export async function queueRecoveryMail(
  context: Context,
  { email, occasion }: { readonly email: string; readonly occasion: string },
): Promise<void> {
  const artist = await recoveries.findRecoverableArtist(context.database, email);
  if (!artist) return;
  // The notice (the mail's content) is stored, so it has no token: the sending job creates one.
  const notice = toRecoveryNotice(artist, occasion);
  // Jobs run at the same time, and each of them must count the mails of the others.
  await withLock(context.database, 'recovery', async (transaction) => {
    const recentCount = await countRecoveryMails(transaction, artist.id, Date.now() - HOUR_MS);
    if (recentCount < context.maxRecoveryMailsPerHour)
      await notify(context, transaction, artist.id, [notice]);
  });
}

/**
 * The HTML of a recovery mail with a new, working link, for a superuser to pass on to the artist.
 * @throws Refusal `not_found`
 */
export async function renderRecoveryMail(context: Context, email: string): Promise<string> {
  const artist = requireFound(await recoveries.findRecoverableArtist(context.database, email));
  const token = await issueRecoveryToken(context, artist.id);
  // Only the `occasion` of a queued notice must be unique.
  const occasion = 'shown';
  return (await createMail(context.site, toRecoveryNotice(artist, occasion), token)).html;
}

/**
 * Sets a new password with a recovery mail's one-time token. Revokes the artist's access tokens.
 * @throws Refusal `link_not_valid`
 */
export async function resetPassword(
  context: Context,
  { token, new_password }: PasswordReset,
): Promise<Message> {
  await context.database.transaction().execute(async (transaction) => {
    const artistId = await recoveries.consumePasswordRecovery(transaction, hashToken(token));
    if (artistId === undefined) throw refuse('link_not_valid');
    await savePasswordAndNotify(context, transaction, artistId, await hashPassword(new_password));
  });
  return { message: 'Password updated successfully.' };
}

/** Creates a one-time token to reset a password, valid for an hour. Replaces an earlier token. */
export async function issueRecoveryToken({ database }: Context, artistId: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await recoveries.upsertPasswordRecovery(database, artistId, hashToken(token));
  return token;
}

/** @param occasion unique for each queued mail: equal notices count as duplicates */
function toRecoveryNotice(artist: RecoverableArtist, occasion: string): MailData {
  return { kind: 'password_recovery', artist: toAccountSnapshot(artist), occasion };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
