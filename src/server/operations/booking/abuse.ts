/** Alarms about suspiciously many requests, and the senders whom an artist has blocked. */
import { sql } from 'kysely';
import type {
  BlockedSender,
  BookingAlarm,
  CancelledBatch,
  NewBlockedSender,
} from '#contract/abuse.ts';
import { TRANSITIONS } from '#domain/appointments/appointment.ts';
import { toEmailHint, toNetworkHint } from '#domain/mail/mailbox.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { listBatch } from '#server/database/appointment_lists.ts';
import { saveTransitions } from '#server/database/appointment_transitions.ts';
import { type ClientAppointmentRow, findAppointment } from '#server/database/appointments.ts';
import { isBlocked, type Sender } from '#server/database/blocked_senders.ts';
import * as limits from '#server/database/booking_limits.ts';
import type { Database } from '#server/database/connect.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { dropMails } from '#server/database/mails.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';

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
  return change(context, calendarScope(artistId), async ({ database }, now) => {
    if (!(await limits.closeBookingAlarm(database, artistId, alarmId))) throw refuse('not_found');
    const batch = await listBatch(database, artistId, alarmId);
    const { to: status, event: what } = TRANSITIONS.artist.cancel;
    const transition = { actor: 'artist', what, status, time: 'released' } as const;
    const cancelled = await saveTransitions(database, batch, transition, now);
    const mailIds = cancelled.flatMap(({ queued_mails }) => queued_mails);
    await dropMails(database, mailIds);
    return { cancelled: cancelled.length };
  });
}

/** Closes an alarm and keeps its bookings. Idempotent. */
export async function dismissBookingAlarm(
  { database }: Context,
  artistId: string,
  alarmId: string,
): Promise<void> {
  requireFound(await limits.closeBookingAlarm(database, artistId, alarmId));
}

const BLOCKED_COLUMNS = [
  'id',
  'hint',
  'created_at',
  sql<BlockedSender['kind']>`kind`.as('kind'),
] as const;

/** Lists the senders whom an artist has blocked, the latest first. */
export async function listBlockedSenders({ database }: Context, artistId: string) {
  const rows = await database
    .selectFrom('blocked_senders')
    .select(BLOCKED_COLUMNS)
    .where('artist_id', '=', artistId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return { data: rows.map(toBlockedSender), count: rows.length };
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
  const blocked =
    'email' in sender
      ? { kind: 'email', value: hashMailbox(sender.email), hint: toEmailHint(sender.email) }
      : await toBlockedNetwork(database, artistId, sender.network_of_appointment, now);
  const row = await database
    .insertInto('blocked_senders')
    // A hash, because the list keeps nobody's email. By the hint the artist recognizes the sender.
    .values({ artist_id: artistId, ...blocked })
    .onConflict((conflict) =>
      conflict.columns(['artist_id', 'kind', 'value']).doUpdateSet({ hint: blocked.hint }),
    )
    .returning(BLOCKED_COLUMNS)
    .executeTakeFirstOrThrow();
  return toBlockedSender(row);
}

/** The network by which limits count the sender: the appointment's own, or the /48 of IPv6 around it. */
async function toBlockedNetwork(
  database: Database,
  artistId: string,
  appointmentId: string,
  now: Instant,
) {
  const appointment = await findAppointment(database, artistId, appointmentId);
  const ownNetwork = requireFound(appointment?.network ?? undefined);
  const counted = { artistId, network: ownNetwork, appointmentId };
  const { network } = requireFound(await limits.countRequests(database, counted, now));
  return { kind: 'network', value: hashKey(network), hint: toNetworkHint(network) };
}

/** Lets a blocked sender write and book again. */
export async function unblockSender({ database }: Context, artistId: string, id: string) {
  const sender = database.deleteFrom('blocked_senders').where('id', '=', id);
  requireFound(await sender.where('artist_id', '=', artistId).returning('id').executeTakeFirst());
}

function toBlockedSender(
  row: Pick<BlockedSender, 'id' | 'kind'> & { hint: string; created_at: Date },
): BlockedSender {
  const { id, kind, hint, created_at } = row;
  return { id, kind, value: hint, created_at: toRfc3339(created_at.getTime()) };
}

/**
 * Refuses a request or message of a sender whose mailbox or network the artist has blocked, or the /48 of
 * IPv6 around it.
 * @param sender `email` is null when it is not known
 * @throws Refusal `sender_blocked`
 */
export async function requireUnblocked(
  database: Database,
  artistId: string,
  sender: Sender,
): Promise<void> {
  const { isRefused } = await database
    .selectNoFrom(isBlocked(artistId, sender).as('isRefused'))
    .executeTakeFirstOrThrow();
  if (isRefused) throw refuse('sender_blocked');
}

/**
 * Refuses a client whom the artist has blocked since they made their request. Until they have used a
 * mailed link, the network of the request is theirs, too.
 * @param network from which the client calls now
 * @throws Refusal `sender_blocked`
 */
export async function requireUnblockedClient(
  database: Database,
  row: ClientAppointmentRow,
  network: string,
): Promise<void> {
  if (!row.artist_blocks_senders) return;
  const networks = row.network === null || row.email_proven ? [network] : [network, row.network];
  await requireUnblocked(database, row.artist_id, { email: row.email, networks });
}
