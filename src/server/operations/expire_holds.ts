import { statusAt } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import type { MailData } from '#domain/mail.ts';
import { requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import {
  type AppointmentRow,
  findAppointment,
  listAppointmentsOfArtist,
  toAppointmentTime,
} from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/**
 * Expires holds (the client chose the time) that clients did not confirm by the deadline, and reopens
 * the requests whose offers (the artist chose the time) were not confirmed by it. Releases their
 * times. Mails the client; for an offer, also the artist.
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
  const expired = await calendar.expireHolds(transaction, artistId, span, now, { exceptId });
  if (expired.length === 0) return;
  const statusBefore = new Map(expired.map(({ id, was }) => [id, was]));
  const rows = await listAppointmentsOfArtist(transaction, artistId, [...statusBefore.keys()]);
  const notices = rows.flatMap((row): MailData[] => {
    const appointment = toAppointmentSnapshot(row, { wasBooked: false, by: 'system' });
    if (statusBefore.get(row.id) !== 'offered') return [{ kind: 'expired', appointment }];
    return [
      { kind: 'offer_ended', appointment },
      { kind: 'offer_lapsed', appointment },
    ];
  });
  await notify(context, transaction, artistId, notices);
  const offers = expired.filter(({ was }) => was === 'offered').map(({ id }) => id);
  // The requests are open again and have no time. Deleted last, because the mails name the times.
  await calendar.deleteTimes(transaction, artistId, offers);
}

/**
 * Stores that an appointment's deadline has passed, before something else happens to it. Mails nobody:
 * what happens next is the news. Call inside `updateCalendar`.
 * @returns the row as it is now
 */
export async function storeLapse(
  transaction: Database,
  row: AppointmentRow,
  now: Instant,
): Promise<AppointmentRow> {
  if (statusAt({ status: row.status, time: toAppointmentTime(row) }, now) === row.status)
    return row;
  const whole = null;
  await calendar.expireHolds(transaction, row.artist_id, whole, now, { id: row.id });
  if (row.status === 'offered') await calendar.deleteTimes(transaction, row.artist_id, [row.id]);
  return requireFound(await findAppointment(transaction, row.artist_id, row.id));
}
