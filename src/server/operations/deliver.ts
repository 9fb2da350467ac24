import { setTimeout } from 'node:timers/promises';
import { isStillRelevant } from '#domain/notice.ts';
import type { Instant } from '#domain/time.ts';
import { readState } from '#server/database/appointments.ts';
import { flagEmail } from '#server/database/clients.ts';
import { isDatabaseDown } from '#server/database/connect.ts';
import { findMail, noteFailure, type QueuedMail, settleMail } from '#server/database/mails.ts';
import { findRecoverable } from '#server/database/recoveries.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { writeMail } from '#server/mail/write.ts';
import type { Context } from './context.ts';
import { makeWayBackIn } from './recovery.ts';

const UNKNOWN = 'It could not be handed to the mail server.';

/**
 * What this process is handing over, or has handed over and not written down yet. A job may come
 * again meanwhile, when its pulse was missed or the database was away: it must not send twice.
 */
const underWay = new Map<string, 'sending' | 'sent'>();

/**
 * Sends a mail that is queued; one that is not is left alone.
 * @throws when it could not be sent, or that could not be written down, and should be tried again
 */
export async function deliverMail(context: Context, id: string, now: Instant): Promise<void> {
  const { database } = context;
  const mail = await findMail(database, id);
  if (mail?.status !== 'queued') {
    underWay.delete(id);
    return;
  }
  if (!underWay.has(id) && !(await isWorthSending(context, mail, now))) {
    await settleMail(database, id, 'dropped', null);
    return;
  }
  if (underWay.get(id) === 'sending') throw new Error('It is being sent already');
  if (!underWay.has(id) && !(await handOver(context, mail))) return;
  await onceReached(() => settleMail(database, id, 'sent', null));
  underWay.delete(id);
  await flagEmail(database, mail.artist_id, mail.address, false);
}

/** How often, a second apart, a database that is away is looked for before the job is left to others. */
const LOOKS = 30;

/**
 * Another server takes the job over soon after the database is back, and does not know what this
 * one has handed over: what has to be written down is written before.
 */
async function onceReached<T>(write: () => Promise<T>): Promise<T> {
  for (let look = 1; ; look += 1) {
    try {
      return await write();
    } catch (error) {
      if (look === LOOKS || !isDatabaseDown(error)) throw error;
      await setTimeout(1000);
    }
  }
}

/**
 * @returns whether it was handed over; otherwise it is given up
 * @throws when it was not and should be tried again
 */
async function handOver(
  context: Context,
  { id, notice, address, artist_id: artistId }: QueuedMail,
): Promise<boolean> {
  const { database, mailer, site, log } = context;
  underWay.set(id, 'sending');
  try {
    const token =
      notice.kind === 'password_recovery' ? await makeWayBackIn(context, notice.artist.id) : null;
    await mailer.send({ ...(await writeMail(site, notice, token)), id, to: address });
    underWay.set(id, 'sent');
    return true;
  } catch (error) {
    underWay.delete(id);
    const failure = error instanceof MailFailure ? error : new MailFailure(UNKNOWN, false, error);
    const { final, message } = failure;
    const place = failure === error ? '' : placeOf(error);
    const then = final ? 'given up' : 'tried again';
    log(`A mail (${notice.kind}) was not sent and is ${then}: ${message}${place}`);
    if (!final) {
      await noteFailure(database, id, message);
      throw error;
    }
    if (await settleMail(database, id, 'failed', message))
      await flagEmail(database, artistId, address, true);
    return false;
  }
}

/**
 * A mail that was tried as often as it may be. Its address is not to blame: what says no to an
 * address is not tried again.
 */
export async function giveUpMail({ database, log }: Context, id: string): Promise<void> {
  const mail = await findMail(database, id);
  log(`A mail (${mail?.notice.kind}) was tried for days and is given up.`);
  await settleMail(database, id, 'failed', mail?.failure ?? UNKNOWN);
}

/**
 * Reminders move and die with their appointment, and a way back in goes to no address that is not
 * the artist's any more; everything else did happen, and is told.
 */
async function isWorthSending(
  { database }: Context,
  { notice, address }: QueuedMail,
  now: Instant,
): Promise<boolean> {
  if (notice.kind === 'password_recovery')
    return (await findRecoverable(database, address))?.id === notice.artist.id;
  if (notice.kind !== 'reminder') return true;
  const { id, time } = notice.appointment;
  const state = await readState(database, id);
  return (
    state !== undefined &&
    isStillRelevant(notice.kind, state.status) &&
    state.start === time?.start &&
    state.start > now
  );
}

/** Where a bug is; what it says may tell an address. */
function placeOf(error: unknown): string {
  const frames = error instanceof Error ? error.stack?.match(/^ +at .*$/gm) : null;
  return ['', ...(frames ?? [])].join('\n');
}
