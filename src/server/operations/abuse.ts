import type {
  BlockedSender,
  BookingAlarm,
  CancelledBatch,
  NewBlockedSender,
} from '#contract/abuse.ts';
import { toEmailHint, toNetworkHint } from '#domain/mailbox.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import { type AppointmentRow, findAppointment } from '#server/database/appointments.ts';
import * as senders from '#server/database/blocked_senders.ts';
import * as limits from '#server/database/booking_limits.ts';
import type { Database } from '#server/database/connect.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { dropMails } from '#server/database/mails.ts';
import type { Context } from './context.ts';
import { updateCalendar } from './invalidating.ts';

/** The artist's open alarm; null for none. */
export async function loadBookingAlarm(
  { database }: Context,
  artistId: string,
): Promise<BookingAlarm | null> {
  const alarm = await limits.findOpenAlarm(database, artistId);
  if (!alarm) return null;
  const counts = await limits.countBatch(database, alarm.id);
  return {
    id: alarm.id,
    since: toRfc3339(alarm.since.getTime()),
    raised_at: toRfc3339(alarm.raised_at.getTime()),
    ...counts,
  };
}

/**
 * Cancels the appointments and requests that an alarm is about, without a mail to anyone, and closes
 * the alarm.
 * @throws Refusal `not_found` when the artist has no open alarm with this id
 */
export function cancelAlarmedBookings(
  context: Context,
  artistId: string,
  alarmId: string,
): Promise<CancelledBatch> {
  return updateCalendar(context, artistId, async (transaction) => {
    if (!(await limits.closeBookingAlarm(transaction, artistId, alarmId)))
      throw refuse('not_found');
    const { cancelled, mailIds } = await limits.cancelBatch(transaction, artistId, alarmId);
    await dropMails(transaction, mailIds);
    return { cancelled };
  });
}

/** Closes an alarm and keeps its bookings. Idempotent. @throws Refusal `not_found` */
export async function dismissBookingAlarm(
  { database }: Context,
  artistId: string,
  alarmId: string,
): Promise<void> {
  if (!(await limits.dismissBookingAlarm(database, artistId, alarmId))) throw refuse('not_found');
}

export async function listBlockedSenders({ database }: Context, artistId: string) {
  const rows = await senders.listBlockedSenders(database, artistId);
  return { data: rows.map((row) => toBlockedSender(row.kind, row)), count: rows.length };
}

/**
 * Blocks an email address, or the network of an appointment as limits count it. Blocking the same sender
 * twice changes nothing.
 * @throws Refusal `not_found` for another artist's appointment, or one whose network is not known
 */
export async function blockSender(
  { database }: Context,
  artistId: string,
  sender: NewBlockedSender,
  now: Instant,
): Promise<BlockedSender> {
  if ('email' in sender) {
    const { email } = sender;
    const row = await senders.insertBlockedSender(database, artistId, {
      ...{ kind: 'email', hash: hashMailbox(email), hint: toEmailHint(email) },
    });
    return toBlockedSender('email', row);
  }
  const appointment = await findAppointment(database, artistId, sender.network_of_appointment);
  const own = requireFound(appointment?.network ?? undefined);
  const counted = { artistId, network: own, appointmentId: sender.network_of_appointment };
  const network = await limits.findCountedNetwork(database, counted, now);
  const row = await senders.insertBlockedSender(database, artistId, {
    ...{ kind: 'network', hash: hashKey(network), hint: toNetworkHint(network) },
  });
  return toBlockedSender('network', row);
}

/** @throws Refusal `not_found` */
export async function unblockSender({ database }: Context, artistId: string, id: string) {
  if (!(await senders.deleteBlockedSender(database, artistId, id))) throw refuse('not_found');
}

function toBlockedSender(
  kind: senders.BlockedKind,
  { id, hint, created_at }: { id: string; hint: string; created_at: Date },
): BlockedSender {
  return { id, kind, value: hint, created_at: toRfc3339(created_at.getTime()) };
}

/**
 * Refuses a request or message of a sender whom the artist has blocked.
 * @throws Refusal `sender_blocked`
 */
export async function requireUnblocked(
  database: Database,
  artistId: string,
  sender: senders.Sender,
): Promise<void> {
  if (await senders.isSenderBlocked(database, artistId, sender)) throw refuse('sender_blocked');
}

/**
 * Refuses a client whom the artist has blocked since they made their request. Until they have used a
 * mailed link, the network of the request is theirs, too.
 * @param network the client's now
 * @throws Refusal `sender_blocked`
 */
export async function requireUnblockedClient(
  database: Database,
  row: Pick<AppointmentRow, 'artist_id' | 'email' | 'email_proven' | 'network'>,
  network: string,
): Promise<void> {
  const { artist_id: artistId, email } = row;
  await requireUnblocked(database, artistId, { email, network });
  if (row.network !== null && !row.email_proven)
    await requireUnblocked(database, artistId, { email, network: row.network });
}
