import { setTimeout as sleep } from 'node:timers/promises';
import { isStillRelevant } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { findAppointmentState } from '#server/database/appointments.ts';
import { updateEmailFailed } from '#server/database/clients.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import {
  findMail,
  finishMail,
  type MailToSend,
  updateMailFailure,
} from '#server/database/mails.ts';
import { findRecoverableArtist } from '#server/database/password_recoveries.ts';
import { createMail } from '#server/mail/create_mail.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import type { Context } from './context.ts';
import { issueRecoveryToken } from './password_recovery.ts';

const UNKNOWN_FAILURE = 'It could not be handed to the mail server.';

/**
 * What this process is handing over, or has handed over and not written down yet. A job may come
 * again meanwhile, when its pulse was missed or the database was away: it must not send twice.
 */
const deliveries = new Map<string, 'sending' | 'sent'>();

/**
 * Sends a mail that is queued; one that is not is left alone.
 * @throws when it could not be sent, or that could not be written down, and should be tried again
 */
export async function deliverMail(context: Context, id: string, now: Instant): Promise<void> {
  const { database } = context;
  const mail = await findMail(database, id);
  if (mail?.status !== 'queued') {
    deliveries.delete(id);
    return;
  }
  if (!deliveries.has(id) && !(await isWorthSending(context, mail, now))) {
    await finishMail(database, id, 'dropped', null);
    return;
  }
  if (deliveries.get(id) === 'sending') throw new Error('It is being sent already');
  if (!deliveries.has(id) && !(await sendToMailServer(context, mail))) return;
  await retryUntilReachable(() => finishMail(database, id, 'sent', null));
  deliveries.delete(id);
  await updateEmailFailed(database, mail.artist_id, mail.address, false);
}

/** How often, a second apart, a database that is away is looked for before the job is left to others. */
const DATABASE_ATTEMPTS = 30;

/**
 * Another server takes the job over soon after the database is back, and does not know what this
 * one has handed over: what has to be written down is written before.
 */
async function retryUntilReachable<T>(write: () => Promise<T>): Promise<T> {
  for (let look = 1; ; look += 1) {
    try {
      return await write();
    } catch (error) {
      if (look === DATABASE_ATTEMPTS || !isDatabaseUnavailable(error)) throw error;
      await sleep(1000);
    }
  }
}

/**
 * @returns whether it was handed over; otherwise it is given up
 * @throws when it was not and should be tried again
 */
async function sendToMailServer(
  context: Context,
  { id, notice, address, artist_id: artistId }: MailToSend,
): Promise<boolean> {
  const { database, mailer, site, log } = context;
  deliveries.set(id, 'sending');
  try {
    const token =
      notice.kind === 'password_recovery'
        ? await issueRecoveryToken(context, notice.artist.id)
        : null;
    await mailer.send({ ...(await createMail(site, notice, token)), id, to: address });
    deliveries.set(id, 'sent');
    return true;
  } catch (error) {
    deliveries.delete(id);
    const failure =
      error instanceof MailFailure ? error : new MailFailure(UNKNOWN_FAILURE, false, error);
    const { isPermanent: final, message } = failure;
    const place = failure === error ? '' : stackOf(error);
    const then = final ? 'given up' : 'tried again';
    log(`A mail (${notice.kind}) was not sent and is ${then}: ${message}${place}`);
    if (!final) {
      await updateMailFailure(database, id, message);
      throw error;
    }
    if (await finishMail(database, id, 'failed', message))
      await updateEmailFailed(database, artistId, address, true);
    return false;
  }
}

/**
 * A mail that was tried as often as it may be. Its address is not to blame: what says no to an
 * address is not tried again.
 */
export async function failMail({ database, log }: Context, id: string): Promise<void> {
  const mail = await findMail(database, id);
  log(`A mail (${mail?.notice.kind}) was tried for days and is given up.`);
  await finishMail(database, id, 'failed', mail?.failure ?? UNKNOWN_FAILURE);
}

/**
 * Reminders move and die with their appointment, and a way back in goes to no address that is not
 * the artist's any more; everything else did happen, and is told.
 */
async function isWorthSending(
  { database }: Context,
  { notice, address }: MailToSend,
  now: Instant,
): Promise<boolean> {
  if (notice.kind === 'password_recovery')
    return (await findRecoverableArtist(database, address))?.id === notice.artist.id;
  if (notice.kind !== 'reminder') return true;
  const { id, time } = notice.appointment;
  const state = await findAppointmentState(database, id);
  return (
    state !== undefined &&
    isStillRelevant(notice.kind, state.status) &&
    state.start === time?.start &&
    state.start > now
  );
}

/** Where a bug is; what it says may tell an address. */
function stackOf(error: unknown): string {
  const frames = error instanceof Error ? error.stack?.match(/^ +at .*$/gm) : null;
  return ['', ...(frames ?? [])].join('\n');
}
