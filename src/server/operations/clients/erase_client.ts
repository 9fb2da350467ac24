/** Erasing the personal data of an artist's client (docs/privacy.md). */
import { isUndecided, statusAt, TRANSITIONS } from '#domain/appointments/appointment.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { saveTransitions } from '#server/database/appointment_transitions.ts';
import {
  type AppointmentRow,
  selectAppointmentsOfArtist,
  toAppointmentState,
} from '#server/database/appointments.ts';
import {
  deleteExports,
  deleteMails,
  deletePersonalData,
  findErasableClient,
  listEmailsOfClient,
  listMessageEmails,
  lockMailsAboutClient,
  type MailAboutClient,
} from '#server/database/client_erasure.ts';
import type { Transaction } from '#server/database/connect.ts';
import { dropMails } from '#server/database/mails.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { deleteExpiredExports } from '../expired_exports.ts';

/**
 * Erases the personal data of an artist's client: in the client, their appointments, mails, messages and
 * jobs, and in the artist's exports. The time and the state of the appointments stay. Other artists' data
 * stay too. Erasing twice changes nothing more.
 */
export async function eraseClient(context: Context, artistId: string, id: string): Promise<void> {
  await erase(context, artistId, id, async (_transaction, { ahead, mails }) => {
    if (ahead.length > 0) throw refuse('client_has_appointment');
    if (mails.some(({ isOnItsWay }) => isOnItsWay)) throw refuse('client_mail_queued');
  });
}

/**
 * Erases a client again after a restore of a backup brought them back. Appointments ahead in the backup ended
 * before the erasure: they are cancelled here, with an event in the history, and nobody is mailed.
 * Does nothing if there is no such client.
 */
export async function eraseClientAgain(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  if (!(await findErasableClient(context.database, artistId, id))) return;
  await erase(context, artistId, id, async (transaction, { ahead, now }) => {
    const { to: status, event: what } = TRANSITIONS.artist.cancel;
    const transition = { actor: 'artist', what, status, time: 'released' } as const;
    await saveTransitions(transaction, ahead, transition, now);
  });
}

/** A client's appointments that are ahead (`isAhead`), and the mails about the client. */
interface Pending {
  readonly ahead: readonly AppointmentRow[];
  readonly mails: readonly MailAboutClient[];
  readonly now: Instant;
}

/** @param handlePending refuses the erasure, or cancels the appointments */
async function erase(
  context: Context,
  artistId: string,
  id: string,
  handlePending: (transaction: Transaction, pending: Pending) => Promise<void>,
): Promise<void> {
  const erasedAt = await change(context, calendarScope(artistId), async (context, now) => {
    const { database, jobs, mailer } = context;
    const client = requireFound(await findErasableClient(database, artistId, id));
    if (client.erased_at !== null) return null;
    const appointments = await selectAppointmentsOfArtist(database, artistId)
      .where('appointments.client_id', '=', id)
      .execute();
    const ahead = appointments.filter((row) => isAhead(row, now));
    const emails = await listEmailsOfClient(database, artistId, id);
    const messageEmails = await listMessageEmails(database, artistId, id, emails);
    const allEmails = [...new Set([...emails, ...messageEmails])];
    const mails = await lockMailsAboutClient(database, artistId, id, allEmails);
    await handlePending(database, { ahead, mails, now });
    const mailIds = mails.map((mail) => mail.id);
    // First those that are queued: others may be merged into them.
    await dropMails(database, mailIds);
    await deleteMails(database, mailIds);
    await deletePersonalData(database, artistId, id, { emails, messageEmails });
    await deleteExports(database, artistId);
    await jobs.deleteJobsWithEmail(database, artistId, allEmails);
    // The copy of a mail into which others were merged goes too. Last, because files cannot be rolled back;
    // and here, so that the client is not erased while a copy stays. Deleting them again is harmless.
    const carriers = mails.flatMap(({ mergedInto }) => mergedInto ?? []);
    await mailer.deleteCopies?.([...mailIds, ...carriers]);
    return now;
  });
  if (erasedAt === null) return;
  // Once more after the commit, because an export that began before it has read the data.
  await deleteExports(context.database, artistId);
  // The minutely tasks delete the files too.
  await deleteExpiredExports(context, erasedAt).catch((error: unknown) =>
    context.log.error(
      { err: error, component: 'Exports' },
      'Deleting files failed (retried each minute)',
    ),
  );
}

/** Whether an appointment is undecided, or confirmed and not over. */
function isAhead(row: AppointmentRow, now: Instant): boolean {
  const status = statusAt(toAppointmentState(row), now);
  return status === 'confirmed' ? row.end !== null && row.end.getTime() > now : isUndecided(status);
}
