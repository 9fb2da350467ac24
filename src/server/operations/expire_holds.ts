import type { TimeRange } from '#domain/availability.ts';
import type { MailData } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentFacts } from './notify.ts';

/**
 * Lets go of lapsed holds and offers that overlap a span, and has their people told. Call it within
 * the artist's calendar: whoever comes first tells of an expiry, the sweep or the next booking.
 * @param span null for all of the artist's
 * @param exceptAppointmentId stays as it is
 */
export async function expireHolds(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  span: TimeRange | null,
  now: Instant,
  exceptAppointmentId?: string,
): Promise<void> {
  const released = await calendar.expireHolds(
    transaction,
    artistId,
    span,
    now,
    exceptAppointmentId,
  );
  if (released.length === 0) return;
  const was = new Map(released.map(({ id, was }) => [id, was]));
  const rows = await listAppointmentsByIds(transaction, [...was.keys()]);
  const notices = rows.flatMap((row): MailData[] => {
    const appointment = toAppointmentFacts(row, false);
    const toClient = { kind: 'expired', appointment } as const;
    return was.get(row.id) === 'offered'
      ? [toClient, { kind: 'offer_lapsed', appointment }]
      : [toClient];
  });
  await notify(context, transaction, artistId, notices);
}
