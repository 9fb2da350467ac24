import { statusAt } from '#domain/appointment.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import {
  type AppointmentRow,
  selectAppointmentsOfArtist,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import * as erasure from '#server/database/erasure.ts';
import { deleteExportsOfArtist } from '#server/database/exports.ts';
import { dropMails } from '#server/database/mails.ts';
import type { Context } from './context.ts';
import { deleteExpiredExports } from './exports.ts';
import { updateCalendar } from './invalidating.ts';

/**
 * Erases the personal data of an artist's client: in the client, their appointments, mails, messages and
 * jobs, and in the artist's exports. The time and the state of the appointments stay. Other artists' data
 * stay too. Erasing twice changes nothing more. (docs/privacy.md)
 * @throws Refusal `not_found`, `client_has_appointment`, `client_mail_queued`
 */
export async function eraseClient(context: Context, artistId: string, id: string): Promise<void> {
  await eraseUnless(context, artistId, id, 'refuse');
}

/**
 * Erases a client who was erased before, and whom restoring a backup has brought back. In the backup
 * something may still be ahead, or a mail be queued: it ended before the erasure, so it is cancelled here,
 * and nobody is mailed. Does nothing if there is no such client.
 */
export async function eraseClientAgain(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  if (await erasure.findErasable(context.database, artistId, id))
    await eraseUnless(context, artistId, id, 'cancel');
}

/** @param whatIsAhead refuses the erasure, or is cancelled by it */
async function eraseUnless(
  context: Context,
  artistId: string,
  id: string,
  whatIsAhead: 'refuse' | 'cancel',
): Promise<void> {
  const { database } = context;
  const isErased = await updateCalendar(context, artistId, (transaction, now) =>
    erase(context, transaction, artistId, id, whatIsAhead, now),
  );
  if (!isErased) return;
  // Once more after the commit, because an export that began before it has read the data.
  await deleteExportsOfArtist(database, artistId);
  // The minutely tasks delete the files too.
  await deleteExpiredExports(context, Date.now()).catch((error: unknown) =>
    context.log.error(
      { err: error, component: 'Exports' },
      'Deleting files failed (retried each minute)',
    ),
  );
}

/** @returns false if the client was erased before */
async function erase(
  { jobs, mailer }: Context,
  transaction: Database,
  artistId: string,
  id: string,
  whatIsAhead: 'refuse' | 'cancel',
  now: Instant,
): Promise<boolean> {
  const client = requireFound(await erasure.findErasable(transaction, artistId, id));
  if (client.erased_at !== null) return false;
  const appointments = await selectAppointmentsOfArtist(transaction, artistId)
    .where('appointments.client_id', '=', id)
    .execute();
  const ahead = appointments.filter((row) => isAhead(row, now)).map((row) => row.id);
  if (whatIsAhead === 'cancel') await erasure.cancelAppointments(transaction, artistId, ahead);
  else if (ahead.length > 0) throw refuse('client_has_appointment');
  const emails = await erasure.listEmailsOfClient(transaction, artistId, id);
  const messageEmails = await erasure.listMessageEmailsOfClient(transaction, artistId, id, emails);
  const allEmails = [...new Set([...emails, ...messageEmails])];
  const mails = await erasure.listMailsAboutClient(transaction, artistId, id, allEmails);
  if (whatIsAhead === 'refuse' && mails.some(({ isOnItsWay }) => isOnItsWay))
    throw refuse('client_mail_queued');
  const ids = mails.map((mail) => mail.id);
  await dropMails(transaction, ids);
  await erasure.deleteMails(transaction, ids);
  await erasure.erasePerson(transaction, artistId, id, { emails, messageEmails });
  await deleteExportsOfArtist(transaction, artistId);
  await jobs.deleteJobsWithEmail(transaction, artistId, allEmails);
  // A mail may tell the content of others: its copy goes too. Last, because files cannot be rolled back.
  const carriers = mails.flatMap(({ mergedInto }) => mergedInto ?? []);
  await mailer.deleteCopies?.([...ids, ...carriers]);
  return true;
}

/** Whether the artist and the client still await something of each other. */
function isAhead(row: AppointmentRow, now: Instant): boolean {
  const status = statusAt(toAppointmentState(row), now);
  if (status === 'confirmed') return row.end !== null && row.end.getTime() > now;
  return status === 'requested' || status === 'held' || status === 'offered';
}
