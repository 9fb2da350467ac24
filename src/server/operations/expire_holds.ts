import { statusAt } from '#domain/appointment.ts';
import type { MailData } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import {
  type AppointmentRow,
  listAppointmentsOfArtist,
  toAppointmentState,
} from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/**
 * Expires holds (the client chose the time) that clients did not confirm by the deadline, and reopens
 * the requests whose offers (the artist chose the time) were not confirmed by it. Releases their
 * times. Mails the client; for an offer, also the artist.
 * Call it under the lock of the calendar, which prevents duplicate mails.
 */
export async function expireHolds(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  scope: calendar.ExpiryScope,
  now: Instant,
): Promise<void> {
  const expired = await calendar.storeExpiry(transaction, artistId, scope, now);
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
 * Stores that an appointment's deadline has passed, and mails it as the minutely task does, before a change
 * of which nobody is mailed. Call it under the lock of the calendar.
 * @returns whether it had passed, so that the row is to be read again
 */
export async function storeAndMailLapse(
  context: Context,
  transaction: Database,
  row: AppointmentRow,
  now: Instant,
): Promise<boolean> {
  const hasLapsed = statusAt(toAppointmentState(row), now) !== row.status;
  if (hasLapsed)
    await expireHolds(context, transaction, row.artist_id, { appointmentId: row.id }, now);
  return hasLapsed;
}

/**
 * Stores that an appointment's deadline has passed, before something else happens to it. Mails nobody:
 * what happens next is the news. Call it under the lock of the calendar.
 * @returns whether it had passed, so that the row is to be read again
 */
export async function storeLapse(
  transaction: Database,
  row: AppointmentRow,
  now: Instant,
): Promise<boolean> {
  if (statusAt(toAppointmentState(row), now) === row.status) return false;
  await calendar.storeExpiry(transaction, row.artist_id, { appointmentId: row.id }, now);
  if (row.status === 'offered') await calendar.deleteTimes(transaction, row.artist_id, [row.id]);
  return true;
}
