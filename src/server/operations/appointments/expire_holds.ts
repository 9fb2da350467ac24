/** Stores that the deadlines of holds and offers have passed. */
import { statusAt, TRANSITIONS } from '#domain/appointments/appointment.ts';
import { mailsAbout } from '#domain/mail/appointment_mails.ts';
import type { Instant } from '#domain/time/time.ts';
import {
  type ExpiryScope,
  listExpiredRows,
  lockUnreservedHolds,
} from '#server/database/appointment_lists.ts';
import { deleteTimes } from '#server/database/appointment_times.ts';
import { saveTransitions } from '#server/database/appointment_transitions.ts';
import { type AppointmentRow, toAppointmentState } from '#server/database/appointments.ts';
import { inBatches } from '#server/database/in_batches.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAppointmentSnapshot } from '../mail/notify.ts';

const { expire, expire_offer: expireOffer } = TRANSITIONS.system;
const EXPIRED = { actor: 'system', what: expire.event, status: expire.to } as const;

/** The changes of a hold and of an offer when their deadlines pass, by the status before. */
const EXPIRY_OF = {
  held: { ...EXPIRED, time: 'released' },
  // The request is open again, without a note. Its time is deleted.
  offered: {
    actor: 'system',
    what: expireOffer.event,
    status: expireOffer.to,
    start: null,
    columns: { artist_note: null },
  },
} as const;

/**
 * Expires holds (the client chose the time) that clients did not confirm by the deadline, and reopens
 * the requests whose offers (the artist chose the time) were not confirmed by it. Releases their
 * times. Mails the client; for an offer, also the artist.
 * Call it under the lock of the calendar, which prevents duplicate mails.
 */
export async function expireHolds(
  context: InChange<Pick<Context, 'jobs'>>,
  artistId: string,
  scope: ExpiryScope,
  now: Instant,
): Promise<void> {
  const rows = await listExpiredRows(context.database, artistId, scope, now);
  await saveExpiries(context, rows, { isMailed: true, now });
}

/**
 * Stores that an appointment's deadline has passed, if it has, before the appointment changes otherwise.
 * @param context of a change that locks the calendar, in which the row was loaded
 * @param isChangeMailed whether a mail reports the change: then nobody is mailed that the deadline has passed
 * @returns the row, loaded again if an expiry was stored
 */
export async function storeExpiry<Row extends AppointmentRow>(
  context: InChange<Pick<Context, 'jobs'>>,
  row: Row,
  reload: () => Promise<Row>,
  { isChangeMailed, now }: { readonly isChangeMailed: boolean; readonly now: Instant },
): Promise<Row> {
  if (statusAt(toAppointmentState(row), now) === row.status) return row;
  await saveExpiries(context, [row], { isMailed: !isChangeMailed, now });
  return reload();
}

/** Expires holds that reserve no time and whose deadline has passed. Nobody is mailed about them. */
export async function expireUnreservedHolds(context: Context, now: Instant): Promise<void> {
  await inBatches(() =>
    change(context, { invalidates: [] }, async ({ database }) => {
      const holds = await lockUnreservedHolds(database, now);
      await saveTransitions(database, holds, EXPIRED, now);
      return holds.length;
    }),
  );
}

/** @param rows holds and offers of one artist */
async function saveExpiries(
  context: InChange<Pick<Context, 'jobs'>>,
  rows: readonly AppointmentRow[],
  { isMailed, now }: { readonly isMailed: boolean; readonly now: Instant },
): Promise<void> {
  for (const was of ['held', 'offered'] as const) {
    const isOffer = was === 'offered';
    const due = rows.filter(({ status }) => status === was);
    const expired = await saveTransitions(context.database, due, EXPIRY_OF[was], now);
    const [first] = expired;
    if (first === undefined) continue;
    const { artist_id: artistId } = first;
    const ids = expired.map(({ id }) => id);
    if (isOffer) await deleteTimes(context.database, artistId, ids);
    if (!isMailed) continue;
    const notices = expired.flatMap((row) => {
      // `row` is from before, not read again: the mails name the time, which was deleted of an offer.
      const facts = { ...row, artist_note: isOffer ? null : row.artist_note, occupies: false };
      const appointment = toAppointmentSnapshot(facts, { wasBooked: false, by: 'system' });
      return mailsAbout(EXPIRY_OF[was], was).map((kind) => ({ kind, appointment }));
    });
    await notify(context, { notices });
  }
}
