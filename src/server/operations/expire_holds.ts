import { statusAt } from '#domain/appointment.ts';
import type { MailData } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import {
  type AppointmentRow,
  listAppointmentsOfArtist,
  toAppointmentState,
} from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/**
 * Expires holds (the client chose the time) that clients did not confirm by the deadline, and reopens
 * the requests whose offers (the artist chose the time) were not confirmed by it. Releases their
 * times. Mails the client; for an offer, also the artist.
 * Call it under the lock of the calendar, which prevents duplicate mails.
 */
export async function expireHolds(
  context: Pick<Context, 'jobs' | 'database'>,
  artistId: string,
  scope: calendar.ExpiryScope,
  now: Instant,
): Promise<void> {
  const { database: transaction } = context;
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
  await notify(context, artistId, notices);
  const offers = expired.filter(({ was }) => was === 'offered').map(({ id }) => id);
  // The requests are open again and have no time. Deleted last, because the mails name the times.
  await calendar.deleteTimes(transaction, artistId, offers);
}

/**
 * Stores that an appointment's deadline has passed, if it has, before something else happens to it. Call it
 * under the lock of the calendar.
 * @param context of a change
 * @param isMailed whether the change is mailed: then nobody is mailed that the deadline has passed
 * @returns whether the deadline has passed: then load the row again
 */
export async function storeLapse(
  context: Pick<Context, 'jobs' | 'database'>,
  row: AppointmentRow,
  isMailed: boolean,
  now: Instant,
): Promise<boolean> {
  if (statusAt(toAppointmentState(row), now) === row.status) return false;
  const { artist_id: artistId, id } = row;
  if (isMailed) {
    await calendar.storeExpiry(context.database, artistId, { appointmentId: id }, now);
    if (row.status === 'offered') await calendar.deleteTimes(context.database, artistId, [id]);
  } else await expireHolds(context, artistId, { appointmentId: id }, now);
  return true;
}
