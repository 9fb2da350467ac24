import { setTimeout as sleep } from 'node:timers/promises';
import { isClientMailKind, type MailData } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { findArtistById } from '#server/database/artists.ts';
import { updateEmailFailed } from '#server/database/clients.ts';
import { type Database, isDatabaseUnavailable } from '#server/database/connect.ts';
import * as mails from '#server/database/mails.ts';
import { findRecoverableArtist } from '#server/database/password_recoveries.ts';
import { findStoppedScope } from '#server/database/stopped_mailboxes.ts';
import { createMail } from '#server/mail/create_mail.ts';
import type { TrustedNotice } from '#server/mail/mail_content.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import type { Context } from './context.ts';
import {
  admitMail,
  isStillTrue,
  loadMailPeople,
  type MailPeople,
  type MailToTell,
} from './mail_admission.ts';
import { hashMailbox, signEmailProof, signMailStop, signMailToken } from './mail_tokens.ts';
import { issueRecoveryToken } from './password_recovery.ts';

/** The artist sees this text instead of an error that may contain an email address. */
const UNKNOWN_FAILURE = 'It could not be handed to the mail server.';
const STOPPED_FAILURE = 'This person stopped mail to this address.';
const MAX_SAVE_ATTEMPTS = 30;
const SAVE_RETRY_MS = 1000;

/**
 * Sends a queued mail. The job queue may repeat a job while the earlier run still sends, or after
 * the result could not be saved; in the same process, `mailDeliveries` prevents a second sending.
 * @throws when another attempt may succeed, or the result is not saved: the job runs again
 */
export async function deliverMail(context: Context, id: string, now: Instant): Promise<void> {
  const { database, mailDeliveries } = context;
  const mail = await mails.findMail(database, id);
  // Another run of the job has finished the mail, or the mail was deleted.
  if (mail?.status !== 'queued') {
    mailDeliveries.delete(id);
    return;
  }
  // Another mail tells this one, or the minutely tasks run the job again after the wait.
  if (mail.merged_into !== null || (mail.waits_until?.getTime() ?? 0) > now) return;
  const people = await loadMailPeople(database, mail);
  let told: readonly MailToTell[] = [mail];
  if (!mailDeliveries.has(id)) {
    if (!(await isWorthSending(context, mail, now))) {
      await mails.dropMails(database, [id]);
      return;
    }
    if (await isStopped(context, mail, people)) {
      await mails.dropMails(database, [id], STOPPED_FAILURE);
      return;
    }
    const admitted = await admitMail(context, mail, people, now);
    if (admitted === null) return;
    told = admitted;
  }
  // Read after the last `await`, because a concurrent run may have begun to send during the wait.
  const delivery = mailDeliveries.get(id);
  if (delivery === 'sending') throw new Error('It is being sent already');
  // `sent` means that an earlier run sent the mail, but could not save the result.
  if (delivery === undefined && !(await sendOrRecordFailure(context, mail, told, people))) return;
  await saveWithRetries(() => mails.finishMail(database, id, 'sent'));
  mailDeliveries.delete(id);
  // If it is the address of one of the artist's clients, it no longer counts as failed.
  await updateEmailFailed(database, mail.artist_id, mail.address, false);
}

/**
 * Saves a result, and tries again while the database is unavailable. Without the result, another
 * of our servers would run the job and send the mail again: it does not see our `mailDeliveries`.
 */
async function saveWithRetries(save: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await save();
      return;
    } catch (error) {
      if (attempt === MAX_SAVE_ATTEMPTS || !isDatabaseUnavailable(error)) throw error;
      await sleep(SAVE_RETRY_MS);
    }
  }
}

/**
 * Sends a mail, or stores why that failed.
 * @returns true when the mail server accepted the mail; false when it will never accept the mail
 * @throws when another attempt may succeed
 */
async function sendOrRecordFailure(
  context: Context,
  { id, notice, address, artist_id: artistId }: mails.MailToSend,
  told: readonly MailToTell[],
  people: MailPeople,
): Promise<boolean> {
  const { database, mailDeliveries, mailer, site, tokenSecret, log } = context;
  mailDeliveries.set(id, 'sending');
  try {
    const mail = await createMail(site, await loadTrust(database, told), {
      token: await createToken(context, notice, people),
      mailTokenOf: ({ id: appointmentId, client }) =>
        client.email && signMailToken(tokenSecret, appointmentId, client.email),
      stopToken:
        isClientMailKind(notice.kind) && people.senderId !== null
          ? signMailStop(tokenSecret, {
              artistId: people.senderId,
              mailboxHash: hashMailbox(address),
            })
          : null,
    });
    await mailer.send({ ...mail, id, to: address });
    mailDeliveries.set(id, 'sent');
    return true;
  } catch (error) {
    mailDeliveries.delete(id);
    const isMailFailure = error instanceof MailFailure;
    const isPermanent = isMailFailure && error.isPermanent;
    // Other errors may contain an address in their message.
    const reason = isMailFailure ? error.message : UNKNOWN_FAILURE;
    const stack = isMailFailure ? '' : stackWithoutMessage(error);
    const consequence = isPermanent ? 'given up' : 'will be retried';
    log(`Mail: sending ${notice.kind} failed (${consequence}): ${reason}${stack}`);
    if (!isPermanent) {
      await mails.updateMailFailure(database, id, reason);
      throw error;
    }
    // Shows the artist that the address failed, unless another run has finished the mail.
    if (await mails.finishMail(database, id, 'failed', reason))
      await updateEmailFailed(database, artistId, address, true);
    return false;
  }
}

/**
 * Gives up a mail after its last attempt. Its address does not count as failed: `deliverMail` gives
 * up a mail with a refused address, so it never comes here.
 */
export async function failMail({ database, log }: Context, id: string): Promise<void> {
  const mail = await mails.findMail(database, id);
  log(`Mail: every attempt to send ${mail?.notice.kind} failed (given up)`);
  await mails.finishMail(database, id, 'failed', mail?.failure ?? UNKNOWN_FAILURE);
}

/** Each mail is told by the trust in its own artist, and in its recipient with this artist. */
function loadTrust(database: Database, told: readonly MailToTell[]): Promise<TrustedNotice[]> {
  return Promise.all(
    told.map(async (mail) => ({
      notice: mail.notice,
      ...(await loadMailPeople(database, mail)),
    })),
  );
}

/** Created only now: a queued mail is in the database, which may store only a token's hash. */
async function createToken(
  context: Context,
  notice: MailData,
  { isArtistProven }: MailPeople,
): Promise<string | null> {
  if (notice.kind === 'password_recovery')
    return issueRecoveryToken(context, notice.artist.id, notice.artist.email);
  const provesEmail =
    notice.kind === 'prove_email' || (notice.kind === 'welcome' && !isArtistProven);
  return provesEmail
    ? signEmailProof(context.tokenSecret, notice.artist.id, notice.artist.email)
    : null;
}

/** Whether the recipient, a client, wants no mail of this artist, or of any. */
async function isStopped(
  { database }: Context,
  { notice, address }: mails.MailToSend,
  { senderId }: MailPeople,
): Promise<boolean> {
  if (!isClientMailKind(notice.kind)) return false;
  return (await findStoppedScope(database, hashMailbox(address), senderId)) !== null;
}

/**
 * False for a reminder whose appointment was moved, cancelled or has begun, for a mail with a link
 * of the account to an address that the artist no longer has, and for a mail that waited until it
 * was no longer true. Other mails report past events: always true.
 */
async function isWorthSending(
  { database }: Context,
  { notice, address, waits_until }: mails.MailToSend,
  now: Instant,
): Promise<boolean> {
  if (notice.kind === 'prove_email') {
    const artist = await findArtistById(database, notice.artist.id);
    return artist?.email === address && artist.email_proven_at === null;
  }
  if (notice.kind === 'password_recovery')
    return (await findRecoverableArtist(database, address))?.id === notice.artist.id;
  if (notice.kind !== 'reminder' && waits_until === null) return true;
  return isStillTrue(database, notice, now);
}

/** The error's message is left out, because it may contain an address. */
function stackWithoutMessage(error: unknown): string {
  const frames = error instanceof Error ? error.stack?.match(/^ +at .*$/gm) : null;
  return ['', ...(frames ?? [])].join('\n');
}
