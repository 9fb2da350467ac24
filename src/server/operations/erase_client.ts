import { statusAt } from '#domain/appointment.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import {
  type AppointmentRow,
  selectAppointmentsOfArtist,
  toAppointmentState,
} from '#server/database/appointments.ts';
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
  const mailIds = await updateCalendar(context, artistId, async (transaction, now) => {
    if (!(await erasure.isClientOfArtist(transaction, artistId, id))) throw refuse('not_found');
    const appointments = await selectAppointmentsOfArtist(transaction, artistId)
      .where('appointments.client_id', '=', id)
      .execute();
    if (appointments.some((row) => isAhead(row, now))) throw refuse('client_has_appointment');
    if (await erasure.hasQueuedMail(transaction, artistId, id)) throw refuse('client_mail_queued');
    const emails = await erasure.listEmailsOfClient(transaction, artistId, id);
    const ids = await erasure.listMailsAboutClient(transaction, artistId, id, emails);
    await dropMails(transaction, ids);
    await erasure.deleteMails(transaction, ids);
    await erasure.erasePerson(transaction, artistId, id, emails);
    await deleteExportsOfArtist(transaction, artistId);
    await context.jobs.deleteLinksJobs(transaction, artistId, emails);
    return ids;
  });
  await context.mailer.deleteCopies?.(mailIds);
  await deleteExpiredExports(context, Date.now());
}

/** Whether the artist and the client still await something of each other. */
function isAhead(row: AppointmentRow, now: Instant): boolean {
  const status = statusAt(toAppointmentState(row), now);
  if (status === 'confirmed') return row.end !== null && row.end.getTime() > now;
  return status === 'requested' || status === 'held' || status === 'offered';
}
