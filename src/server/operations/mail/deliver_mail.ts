/**
 * The job of a mail: it claims the mail when its turn comes (`takeMailTurns`), renders it, hands it to the mail
 * server, and stores the result. The claim and the result are transactions of their own; between them, no
 * lock and no connection is held. The mails of jobs that run at once share these transactions. A claim without a result
 * stays: the same job runs again. The mails about one appointment to one person are a thread, in which one is sent after
 * the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppointmentSnapshot, isToClient } from '#domain/mail/mail.ts';
import { Refusal } from '#domain/refusal.ts';
import { stackFrames } from '#domain/text/stack_frames.ts';
import type { Instant } from '#domain/time/time.ts';
import { keepOrganizer } from '#server/database/calendar_entries.ts';
import { updateEmailFailed } from '#server/database/clients.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import * as mails from '#server/database/mails.ts';
import { issueRecoveryToken } from '#server/database/password_recoveries.ts';
import { createMail } from '#server/mail/create_mail.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { change } from '../change.ts';
import type { Context, SentMail } from '../context.ts';
import type { TokenKeys } from '../token_keys.ts';
import { signLink } from './mail_tokens.ts';
import { type ClaimedMail, enqueueNextMails, type MailJob, takeMailTurns } from './mail_turn.ts';
import { runTogether } from './run_together.ts';

/** The artist sees this text instead of an error that may contain an email address. */
const UNKNOWN_FAILURE = 'It could not be handed to the mail server.';
/** Saving a result is tried for half a minute: the job queue allows two minutes for a whole attempt. */
const MAX_SAVE_ATTEMPTS = 30;
const SAVE_RETRY_MS = 1000;

/**
 * Sends a queued mail when its turn in its thread has come. The job queue may repeat a job while the earlier run still
 * sends, or after the result could not be saved; in the same process, `mailDeliveries` prevents a second sending. If an
 * older mail goes first, does nothing: the end of that mail enqueues this one.
 * @param job identifies the job; the mail's first one, unless given
 * @throws when another attempt may succeed, or the result is not saved: the job runs again
 */
export async function deliverMail(
  context: Context,
  id: string,
  now: Instant,
  job = id,
): Promise<void> {
  const { database, mailDeliveries } = context;
  const delivery = mailDeliveries.get(id);
  if (delivery === 'sending') throw new Error('It is being sent already');
  // Otherwise, an earlier run sent the mail, but could not save the result.
  const sent = delivery ?? (await sendInTurn(context, id, job, now));
  if (sent === null) return;
  const { artistId, address, calendarMethod, status } = sent;
  await saveWithRetries(() => saveEnd(context, { id, status, calendarMethod }));
  mailDeliveries.delete(id);
  // A file proves nothing about the address.
  if (status === 'saved') return;
  // If it is the address of one of the artist's clients, it no longer counts as failed.
  await updateEmailFailed(database, artistId, address, { hasFailed: false });
}

/** @returns null when the mail is not sent, or when the mail server will never accept it */
async function sendInTurn(
  context: Context,
  id: string,
  job: string,
  now: Instant,
): Promise<SentMail | null> {
  const { mailDeliveries } = context;
  mailDeliveries.set(id, 'sending');
  try {
    const claimed = await sharedRuns(context).claim({ id, job, now });
    if (claimed === null) return null;
    const sent = await sendOrRecordFailure(context, claimed);
    if (sent) mailDeliveries.set(id, sent);
    return sent;
  } finally {
    // A sent mail stays in the map until its result is saved.
    if (mailDeliveries.get(id) === 'sending') mailDeliveries.delete(id);
  }
}

/**
 * Sends a mail, or stores why that failed.
 * @returns null when the mail server will never accept the mail
 * @throws when another attempt may succeed
 */
async function sendOrRecordFailure(
  context: Context,
  claimed: ClaimedMail,
): Promise<SentMail | null> {
  const { mailer, metrics } = context;
  const { id, notice, address, artist_id: artistId } = claimed.mail;
  let isHandedOver = false;
  try {
    const mail = await renderMail(context, claimed);
    isHandedOver = true;
    await mailer.send({ ...mail, id, to: address });
    const status = mailer.onlySaves ? 'saved' : 'sent';
    metrics.countMail(notice.kind, status);
    return { status, artistId, address, calendarMethod: mail.calendar?.method };
  } catch (error) {
    await recordFailure(context, claimed.mail, error, isHandedOver);
    return null;
  }
}

/**
 * Logs and stores why an attempt failed.
 * @param isHandedOver whether the mail server may have got the mail
 * @throws the error, when another attempt may succeed
 */
async function recordFailure(
  context: Context,
  { id, notice, address, artist_id: artistId }: mails.MailToSend,
  error: unknown,
  isHandedOver: boolean,
): Promise<void> {
  const { database, log, metrics } = context;
  const isMailFailure = error instanceof MailFailure;
  const isPermanent = isMailFailure && error.isPermanent;
  // Other errors may contain an address in their message.
  const reason = isMailFailure ? error.message : UNKNOWN_FAILURE;
  metrics.countMail(notice.kind, isPermanent ? 'failed' : 'retried');
  log.error(
    {
      component: 'Mail',
      mail_id: id,
      kind: notice.kind,
      artist_id: artistId,
      reason,
      // Without its message, which may contain an address.
      ...(error instanceof Error && !isMailFailure
        ? { stack: stackFrames(error.stack ?? '').join('\n') }
        : {}),
    },
    `Sending failed (${isPermanent ? 'given up' : 'will be retried'})`,
  );
  if (!isPermanent) {
    const wasRefused = isMailFailure && !error.mayHaveArrived;
    const mayHaveArrived = isHandedOver && !wasRefused;
    await change(context, { invalidates: [] }, async (context) => {
      const save = mails.updateMailFailure(context.database, id, reason, { mayHaveArrived });
      await enqueueNextMails(context, await save, id);
    });
    throw error;
  }
  // Shows the artist that the address failed, unless another run has finished the mail.
  if (await saveEnd(context, { id, status: 'failed', failure: reason }))
    await updateEmailFailed(database, artistId, address, { hasFailed: true });
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
      const isBusy = error instanceof Refusal && error.reason === 'busy';
      const canRetry = isDatabaseUnavailable(error) || isBusy;
      if (attempt === MAX_SAVE_ATTEMPTS || !canRetry) throw error;
      await sleep(SAVE_RETRY_MS);
    }
  }
}

/**
 * Stores how sending a mail ended, and enqueues the mails that waited for it.
 * @returns false when the mail is no longer queued, so that nothing changes
 */
function saveEnd(context: Context, end: mails.MailEnd): Promise<boolean> {
  return sharedRuns(context).save(end);
}

/** Stores how sending several mails ended (`saveEnd`). */
function saveEnds(
  context: Context,
  ends: readonly mails.MailEnd[],
): Promise<Map<mails.MailEnd, boolean>> {
  return change(context, { invalidates: [] }, async (context) => {
    const changed = await mails.finishMails(context.database, ends);
    const threads = changed.map(({ thread }) => thread);
    await enqueueNextMails(context, threads);
    const changedIds = new Set(changed.flatMap(({ id, merged_into }) => [id, merged_into]));
    return new Map(ends.map((end) => [end, changedIds.has(end.id)]));
  });
}

/** The claims and results of mails whose jobs run at once in one process, and so with one context, share transactions. */
const runsByContext = new WeakMap<Context, ReturnType<typeof createRuns>>();

function sharedRuns(context: Context) {
  const runs = runsByContext.get(context) ?? createRuns(context);
  runsByContext.set(context, runs);
  return runs;
}

function createRuns(context: Context) {
  // Without its message, which may contain an address.
  const logError = (error: unknown) => {
    const stack = error instanceof Error ? stackFrames(error.stack ?? '').join('\n') : undefined;
    context.log.error(
      { component: 'Mail', stack },
      'Mails could not be handled together (trying each alone)',
    );
  };
  return {
    claim: runTogether((jobs: readonly MailJob[]) => takeMailTurns(context, jobs), logError),
    save: runTogether((ends: readonly mails.MailEnd[]) => saveEnds(context, ends), logError),
  };
}

async function renderMail(context: Context, claimed: ClaimedMail) {
  const { database, site, tokenKeys } = context;
  const { included, isInCalendar } = claimed;
  const { notice, address, sender_id: senderId } = claimed.mail;
  return createMail(
    site,
    // The trust in its own artist decides the words of each mail, and the trust in its recipient.
    included.map((one) => ({ notice: one.mail.notice, ...one.people })),
    {
      token: await createToken(context, claimed),
      mailTokenOf: (appointment) => signAppointmentLink(tokenKeys, appointment),
      stopToken: isToClient(notice.kind)
        ? signLink(tokenKeys, 'stop mail', [senderId, hashMailbox(address)])
        : null,
    },
    { isInCalendar, keepOrganizer: (...args) => keepOrganizer(database, ...args) },
  );
}

/**
 * The token of a mail about an account, if it has one. Created only now: a queued mail is in the database, which
 * may store only a token's hash.
 */
async function createToken(
  { database, tokenKeys }: Context,
  { mail: { notice }, people: { isArtistProven } }: ClaimedMail,
): Promise<string | null> {
  if (notice.kind === 'password_recovery')
    return (await issueRecoveryToken(database, notice.artist.id, notice.artist.email)).token;
  if (notice.kind === 'email_change_requested' || notice.kind === 'email_changed')
    return notice.change === null
      ? null
      : signLink(tokenKeys, 'undo email change', [notice.change]);
  const provesEmail =
    notice.kind === 'prove_email' || (notice.kind === 'welcome' && !isArtistProven);
  if (!provesEmail) return null;
  return signLink(tokenKeys, 'prove email', [notice.artist.id], [notice.artist.email]);
}

/** The token of the link to an appointment, which may also ask for another email; null for a client without one. */
function signAppointmentLink(
  tokenKeys: TokenKeys,
  { id, client: { email }, newEmail }: AppointmentSnapshot,
): string | null {
  if (email === null) return null;
  if (newEmail === undefined) return signLink(tokenKeys, 'appointment', [], [id, email]);
  return signLink(tokenKeys, 'change client email', [], [id, email, newEmail]);
}

/**
 * Gives up a mail after the last attempt of a job. Its address does not count as failed: `deliverMail`
 * gives up a mail with a refused address, so it never comes here.
 */
export async function failMail(context: Context, id: string, job = id): Promise<void> {
  const mail = await mails.findMail(context.database, id);
  // Another job is still sending it.
  if (mail && mail.claimed_by !== null && mail.claimed_by !== job) return;
  if (mail) context.metrics.countMail(mail.notice.kind, 'failed');
  context.log.error(
    { component: 'Mail', mail_id: id, kind: mail?.notice.kind, artist_id: mail?.artist_id },
    'Every attempt failed (given up)',
  );
  const failure = mail?.failure ?? UNKNOWN_FAILURE;
  await saveEnd(context, { id, status: 'failed', failure });
}
