import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Message } from '#contract/common.ts';
import type { PasswordReset } from '#contract/login.ts';
import type { MailData } from '#domain/mail.ts';
import { refuse } from '#domain/refusal.ts';
import {
  consumePasswordRecovery,
  findRecoverableArtist,
  upsertPasswordRecovery,
} from '#server/database/password_recoveries.ts';
import { createMail } from '#server/mail/create_mail.ts';
import type { Context } from './context.ts';
import { notify, toAccountFacts } from './notify.ts';
import { hashPassword, savePasswordAndNotify } from './password.ts';

/** 192 bits: beyond guessing, and the link still fits on a line of a mail. */
const TOKEN_BYTES = 24;
const MAIL_SENT_MESSAGE = 'We sent an email with a link to get back into your account.';

type RecoverableArtist = NonNullable<Awaited<ReturnType<typeof findRecoverableArtist>>>;

/**
 * Sends a way back in to whoever has the email. Everyone is answered alike and as soon: the mail
 * is made afterwards, and too many for one mailbox are silently left out.
 */
export async function requestPasswordRecovery(context: Context, email: string): Promise<Message> {
  const artist = await findRecoverableArtist(context.database, email);
  if (artist)
    context.backgroundTasks.start('A recovery mail', async () => {
      if (!(await context.takeMailQuota(artist.id))) return;
      await context.database
        .transaction()
        .execute((transaction) =>
          notify(context, transaction, artist.id, [toRecoveryNotice(artist, randomUUID())]),
        );
    });
  return { message: MAIL_SENT_MESSAGE };
}

/**
 * The HTML of a recovery mail, for someone whose mail does not arrive; its link works.
 * @throws Refusal `not_found`
 */
export async function renderRecoveryMail(context: Context, email: string): Promise<string> {
  const artist = await findRecoverableArtist(context.database, email);
  if (!artist) throw refuse('not_found');
  const token = await issueRecoveryToken(context, artist.id);
  return (await createMail(context.site, toRecoveryNotice(artist, 'shown'), token)).html;
}

/**
 * Sets a new password with the token of a mail, once; every token that was out ends.
 * @throws Refusal `unusable_token`
 */
export async function resetPassword(
  context: Context,
  { token, new_password }: PasswordReset,
): Promise<Message> {
  await context.database.transaction().execute(async (transaction) => {
    const artistId = await consumePasswordRecovery(transaction, hashToken(token));
    if (artistId === undefined) throw refuse('unusable_token');
    await savePasswordAndNotify(context, transaction, artistId, await hashPassword(new_password));
  });
  return { message: 'Password updated successfully.' };
}

/** A token that lets the artist choose a new password, once and within an hour; earlier ones end. */
export async function issueRecoveryToken(
  { database }: Pick<Context, 'database'>,
  artistId: string,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await upsertPasswordRecovery(database, artistId, hashToken(token));
  return token;
}

function toRecoveryNotice(artist: RecoverableArtist, occasion: string): MailData {
  return { kind: 'password_recovery', artist: toAccountFacts(artist), occasion };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
