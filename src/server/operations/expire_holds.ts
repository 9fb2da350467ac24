import type { TimeRange } from '#domain/availability.ts';
import type { MailData } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/**
 * Expires holds (the client chose the time) and offers (the artist chose it) that clients did not
 * confirm by the deadline. Releases their times. Mails the client; for an offer, also the artist.
 * Call inside `updateCalendar`: its lock prevents duplicate mails.
 * @param span only times that overlap this range; null for all times of the artist
 * @param exceptId the id of an appointment that stays as it is
 */
export async function expireHolds(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  span: TimeRange | null,
  now: Instant,
  exceptId?: string,
): Promise<void> {
  const expired = await calendar.expireHolds(transaction, artistId, span, now, exceptId);
  if (expired.length === 0) return;
  const statusBefore = new Map(expired.map(({ id, was }) => [id, was]));
  const rows = await listAppointmentsByIds(transaction, [...statusBefore.keys()]);
  const notices = rows.flatMap((row): MailData[] => {
    const appointment = toAppointmentSnapshot(row, { wasBooked: false });
    const toClient: MailData = { kind: 'expired', appointment };
    const toArtist: MailData = { kind: 'offer_lapsed', appointment };
    return statusBefore.get(row.id) === 'offered' ? [toClient, toArtist] : [toClient];
  });
  await notify(context, transaction, artistId, notices);
}
