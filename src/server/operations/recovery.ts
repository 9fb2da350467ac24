import { createHash, randomBytes } from 'node:crypto';
import type { Message } from '#contract/common.ts';
import type { PasswordReset } from '#contract/login.ts';
import { refuse } from '#domain/refusal.ts';
import { setPassword } from '#server/database/artists.ts';
import { findRecoverable, replaceRecovery, takeRecovery } from '#server/database/recoveries.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { recoveryMail } from '#server/mail/recovery_mail.ts';
import type { Parts } from './parts.ts';
import { hashPassword } from './password.ts';

/** 192 bits: beyond guessing, and the link still fits on a line of a mail. */
const TOKEN_BYTES = 24;
const MAIL_SENT = 'We sent an email with a link to get back into your account.';

type Recoverable = NonNullable<Awaited<ReturnType<typeof findRecoverable>>>;

/**
 * Sends a way back in to whoever has the email. Everyone is answered alike and as soon: the mail
 * is made afterwards, and too many for one mailbox are silently left out.
 */
export async function recoverPassword(parts: Parts, email: string): Promise<Message> {
  const artist = await findRecoverable(parts.database, email);
  if (artist)
    parts.afterwards.start('A recovery mail', async () => {
      if (!(await parts.mayMail(artist.id))) return;
      await parts.mailer.send(await makeRecoveryMail(parts, artist));
    });
  return { message: MAIL_SENT };
}

/**
 * The HTML of a recovery mail, for someone whose mail does not arrive; its link works.
 * @throws Refusal `not_found`
 */
export async function readRecoveryMail(parts: Parts, email: string): Promise<string> {
  const artist = await findRecoverable(parts.database, email);
  if (!artist) throw refuse('not_found');
  const { html } = await makeRecoveryMail(parts, artist);
  return html;
}

/**
 * Sets a new password with the token of a mail, once; every token that was out ends.
 * @throws Refusal `unusable_token`
 */
export async function resetPassword(
  { database }: Parts,
  { token, new_password }: PasswordReset,
): Promise<Message> {
  await database.transaction().execute(async (transaction) => {
    const artistId = await takeRecovery(transaction, hashToken(token));
    if (artistId === undefined) throw refuse('unusable_token');
    await setPassword(transaction, artistId, await hashPassword(new_password));
  });
  return { message: 'Password updated successfully.' };
}

async function makeRecoveryMail(parts: Parts, artist: Recoverable): Promise<Mail> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await replaceRecovery(parts.database, artist.id, hashToken(token));
  return recoveryMail(parts.site, artist, token);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
