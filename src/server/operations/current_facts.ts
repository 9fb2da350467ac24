import { isDeepStrictEqual } from 'node:util';
import type { MailData } from '#domain/mail.ts';
import { withCurrentFacts } from '#domain/mail_plan.ts';
import type { Instant } from '#domain/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { updateNotice } from '#server/database/mails.ts';
import { listLinked } from './appointment_links.ts';
import { toAppointmentSnapshot } from './notify.ts';

/**
 * Stores what a queued mail tells now, as its appointments may have changed since.
 * @returns the mail with that
 */
export async function updateFacts<Mail extends { readonly id: string; readonly notice: MailData }>(
  transaction: Database,
  mail: Mail,
  now: Instant,
): Promise<Mail> {
  const notice = await loadCurrentNotice(transaction, mail.notice, now);
  if (isDeepStrictEqual(notice, mail.notice)) return mail;
  await updateNotice(transaction, mail.id, notice);
  return { ...mail, notice };
}

async function loadCurrentNotice(
  transaction: Database,
  notice: MailData,
  now: Instant,
): Promise<MailData> {
  if (notice.kind === 'links') {
    const { artist, email } = notice;
    return { ...notice, appointments: await listLinked(transaction, artist.id, email, now) };
  }
  if (!('appointment' in notice)) return notice;
  const { id, wasBooked, by } = notice.appointment;
  const [row] = await listAppointmentsByIds(transaction, [id]);
  if (!row) return notice;
  return withCurrentFacts(notice, toAppointmentSnapshot(row, { wasBooked, by }), now);
}
