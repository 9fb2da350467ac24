import type { Confirmation } from '#contract/appointment.ts';
import { decideConfirmation } from '#domain/appointment.ts';
import { mayStillReserve } from '#domain/booking_limits.ts';
import { mailOwner } from '#domain/mail_owner.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_SECONDS, type Instant, MINUTE_MS } from '#domain/time.ts';
import * as appointments from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import type { Database } from '#server/database/connect.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { loadAppointmentRow } from './appointments.ts';
import {
  needsMailedLink,
  raiseAlarmIfSuspicious,
  takesFairShare,
  type WantedTime,
} from './booking_limits.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { isMailToken } from './mail_tokens.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';
import { toConfirmation } from './to_appointment.ts';

/** The client's view of an appointment. No login: only the client and the artist know the id. */
export async function loadConfirmation(
  context: Context,
  id: string,
  now: Instant,
): Promise<Confirmation> {
  const artistId = requireFound(await appointments.findAppointmentArtistId(context.database, id));
  const row = await loadAppointmentRow(context.database, artistId, id);
  return toConfirmation(context.images, row, now);
}

/**
 * The client confirms a hold or an offer (a time set by the artist). A second call changes nothing.
 * @param mailToken from the mailed link: proves that the email is the client's, also when the
 *   confirmation is refused
 * @throws Refusal `not_found`, `status_changed`; `time_taken` when the deadline has passed, and the
 *   time is taken or has begun; `email_not_proven` when it takes the mailed link,
 *   `mail_token_not_valid` with another token; `sender_took_share` when this sender has reserved too
 *   many times with mailed links
 * @throws RateLimited
 */
export async function confirmAppointment(
  context: Context,
  id: string,
  network: string,
  mailToken?: string,
): Promise<Confirmation> {
  const artistId = requireFound(await appointments.findAppointmentArtistId(context.database, id));
  if (mailToken !== undefined) await saveMailLinkUse(context, artistId, id, mailToken);
  return updateCalendar(context, artistId, async (transaction, now) => {
    const row = await loadAppointmentRow(transaction, artistId, id);
    const time = appointments.toAppointmentTime(row);
    const isProven = row.email_proven;
    // A request has no time to confirm yet: its mailed link only proves the email.
    if (row.status === 'requested' && mailToken !== undefined) {
      if (!isProven) throw refuse('mail_token_not_valid');
      return toConfirmation(context.images, row, now);
    }
    if (decideConfirmation({ status: row.status, time }, now) === 'already')
      return toConfirmation(context.images, row, now);
    if (row.must_prove_email && !isProven)
      throw refuse(mailToken === undefined ? 'email_not_proven' : 'mail_token_not_valid');
    const wanted = toWantedTime(row);
    // This check only narrows the types: a hold or an offer always has a time.
    if (time === null || wanted === null) throw refuse('status_changed');
    const isReserved = row.occupies && (time.expiresAt === null || time.expiresAt > now);
    if (!isReserved && !row.is_set_by_artist)
      await requireFairReservation(context, transaction, row, { wanted, network }, now);
    // `id` does not expire here: after the deadline, the client may confirm if the time is free.
    await expireHolds(context, transaction, artistId, wanted.blocked, now, id);
    // The database refuses a time that another appointment occupies.
    await calendar.confirmTime(transaction, id);
    if (!(await appointments.updateAppointmentStatus(transaction, row, 'confirmed')))
      throw refuse('status_changed');
    if (!isReserved) {
      await appointments.updateCountedAt(transaction, artistId, id, now);
      const artist = { id: artistId, full_name: row.full_name, email: row.artist_email };
      await raiseAlarmIfSuspicious(context, transaction, artist, id, now);
    }
    const mailKinds = ['booked', 'new_booking'] as const;
    return notifyAndLoadConfirmation(context, transaction, artistId, id, mailKinds, now, network);
  });
}

/** Stores that the client has used the mailed link, if the token is the link's. */
async function saveMailLinkUse(
  context: Context,
  artistId: string,
  id: string,
  mailToken: string,
): Promise<void> {
  // The lock, because the client's share of the times decides.
  await withCalendarLock(context.database, artistId, async (transaction, now) => {
    const row = await loadAppointmentRow(transaction, artistId, id);
    const { email, network } = row;
    if (email === null || row.mail_link_used) return;
    if (!isMailToken(context.tokenSecret, mailToken, id, email)) return;
    const wanted = toWantedTime(row);
    const isFair =
      !wanted ||
      (await takesFairShare(context, transaction, { id, artistId, email, network, wanted }, now));
    const countsForLimits = !(isFair && mailOwner(email).isAtPublicProvider);
    await appointments.updateMailLinkUsed(transaction, artistId, id, countsForLimits);
    await markMailboxProven(transaction, email, artistId, now);
  });
}

/** The time of an appointment with its buffer; null without a time. */
function toWantedTime(row: appointments.AppointmentRow): WantedTime | null {
  const time = appointments.toAppointmentTime(row);
  if (time === null || row.blocked_until === null) return null;
  return {
    durationMinutes: (time.end - time.start) / MINUTE_MS,
    blocked: { start: time.start, end: row.blocked_until.getTime() },
  };
}

/** Confirmations of times that are not reserved: the shares take long to compute. */
const LATE_CONFIRMATIONS = { name: 'late_confirmations', points: 60, seconds: HOUR_SECONDS };

/**
 * Decides whether a client may reserve a time that is not reserved yet, as for a new request.
 * @throws Refusal `time_taken`, `sender_took_share`, `email_not_proven`
 * @throws RateLimited
 */
async function requireFairReservation(
  context: Context,
  transaction: Database,
  row: appointments.AppointmentRow,
  { wanted, network }: { readonly wanted: WantedTime; readonly network: string },
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  if (!mayStillReserve(row.created_at.getTime(), now)) throw refuse('time_taken');
  const tries = await context.countEvent(LATE_CONFIRMATIONS, network);
  if (!tries.isAllowed) throw new RateLimited(tries.retryAfterSeconds);
  const { id, artist_id: artistId, email } = row;
  if (row.mail_link_used && email !== null) {
    const request = { id, artistId, email, network: row.network, wanted };
    if (!(await takesFairShare(context, transaction, request, now)))
      throw refuse('sender_took_share');
    return;
  }
  const requester = { artistId, network: row.network ?? network, email };
  if (await needsMailedLink(context, transaction, requester, wanted, now))
    throw refuse('email_not_proven');
}

/** Queues mails: `new_request` and `new_booking` go to the artist, the others to the client. */
export async function notifyAndLoadConfirmation(
  context: Context,
  transaction: Database,
  artistId: string,
  id: string,
  mailKinds: readonly ('hold' | 'request_received' | 'new_request' | 'booked' | 'new_booking')[],
  now: Instant,
  network: string,
): Promise<Confirmation> {
  const row = await loadAppointmentRow(transaction, artistId, id);
  // Before the change that each of these mails reports, the appointment was not confirmed.
  const appointment = toAppointmentSnapshot(row, { wasBooked: false });
  const notices = mailKinds.map((kind) => ({ kind, appointment }));
  await notify(context, transaction, artistId, notices, network);
  return toConfirmation(context.images, row, now);
}
