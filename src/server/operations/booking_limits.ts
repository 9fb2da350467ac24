import type { TimeRange } from '#domain/availability.ts';
import {
  areFew,
  areSuspicious,
  dependsOnHistory,
  isFairShare,
  isSuspiciousShare,
  mayTakeSuspiciousShare,
  type NewRequests,
  requiredProof,
  type Shares,
  type TakenShares,
  takenEditionShare,
  takenShares,
} from '#domain/booking_limits.ts';
import { bookableDates } from '#domain/booking_range.ts';
import { mailOwner } from '#domain/mail_owner.ts';
import { isWithinNetwork } from '#domain/network.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_MS, HOUR_SECONDS, type Instant } from '#domain/time.ts';
import type { AppointmentRow } from '#server/database/appointments.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { countLimitedEditions } from '#server/database/editions.ts';
import { countOfNetwork } from '#server/database/rate_limits.ts';
import { toCalendarQuery } from './availability.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { createProofOfWorkTask } from './proof_of_work.ts';

const NO_TIMES_TAKEN: Shares = { ofEach: 0, together: 0 };
const NO_SHARES: TakenShares = { byNetwork: 0, byAll: 0 };

/** A time that a client wants, with its buffer. */
export interface WantedTime {
  readonly durationMinutes: number;
  readonly blocked: TimeRange;
  /** The time that the appointment gives up for it, with its buffer. */
  readonly replaced?: TimeRange | null;
}

/** A client who takes a time, or sends a request. */
interface Requester {
  readonly artistId: string;
  readonly network: string;
  /** As typed; null for none. */
  readonly email: string | null;
  /** Whether it takes an edition of a design with a limit. */
  readonly wantsEdition: boolean;
  /** The appointment that takes the time; null for a new one. */
  readonly appointmentId: string | null;
}

/**
 * Demands the proof that a request to an artist needs; earlier requests decide. For a request with a
 * time, call it under the calendar lock, so that concurrent requests count each other.
 * @param wanted null for a request without a time
 * @returns whether only the mailed link confirms the appointment, and whether its time is reserved
 *   until then
 * @throws ProofOfWorkRequired when the proof of work is missing
 * @throws RateLimited when the network sends too many requests
 */
export async function requireProof(
  context: Context,
  transaction: Database,
  requester: Omit<Requester, 'appointmentId'> & { readonly hasWorked: boolean },
  wanted: WantedTime | null,
  now: Instant,
): Promise<{ mustProveEmail: boolean; isReserved: boolean }> {
  const { hasWorked, ...sender } = requester;
  const judged = { ...sender, appointmentId: null };
  const { proof, confirmsByMail } = await judge(
    context,
    transaction,
    judged,
    { wanted, hasWorked },
    now,
  );
  if (proof === 'refused') throw new RateLimited(HOUR_SECONDS);
  if (proof !== 'nothing' && !hasWorked)
    throw await createProofOfWorkTask(context, requester.artistId);
  const isReserved = proof !== 'mail';
  return { mustProveEmail: !isReserved || confirmsByMail, isReserved };
}

/** Times that an appointment takes after its request: the shares take long to compute. */
const LATER_TIMES = { name: 'late_confirmations', points: 60, seconds: HOUR_SECONDS };

/**
 * Counts a try to take such a time. Call it before the calendar is locked: it takes a connection of its own.
 * @throws RateLimited
 */
export async function countLaterTime(
  { hasLimitsPerTime, countEvent }: Context,
  network: string,
): Promise<void> {
  if (!hasLimitsPerTime) return;
  const tries = await countOfNetwork(countEvent, LATER_TIMES, network);
  if (!tries.isAllowed) throw new RateLimited(tries.retryAfterSeconds);
}

/**
 * Judges a time that an appointment takes after its request: a move, or a confirmation of a time that is
 * not reserved. Without it, no limit would count holds that expire and are confirmed later, or bookings
 * that are moved apart. Call it under the calendar lock.
 * @param network the caller's, which counts once the network of the request is forgotten
 * @throws Refusal `move_not_proven` or `email_not_proven` when it takes the mailed link,
 *   `sender_took_share` when too many times are reserved with mailed links
 */
export async function requireFairTime(
  context: Context,
  transaction: Database,
  row: AppointmentRow,
  { wanted, network }: { readonly wanted: WantedTime; readonly network: string },
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  const isMove = wanted.replaced !== undefined;
  const requester = {
    artistId: row.artist_id,
    network: row.network ?? network,
    email: row.email,
    wantsEdition: !isMove && row.design_id !== null && row.editions !== null,
    appointmentId: row.id,
  };
  if (row.mail_link_used && row.email !== null) {
    if (
      !(await takesFairShare(context, transaction, { ...requester, email: row.email }, wanted, now))
    )
      throw refuse('sender_took_share');
    return;
  }
  const judged = { wanted, hasWorked: true };
  const { proof } = await judge(context, transaction, requester, judged, now);
  if (proof === 'mail' || proof === 'refused')
    throw refuse(isMove ? 'move_not_proven' : 'email_not_proven');
}

/** @param judged whether a valid proof of work came with the request */
async function judge(
  { hasLimitsPerTime }: Context,
  transaction: Database,
  sender: Requester,
  { wanted, hasWorked }: { readonly wanted: WantedTime | null; readonly hasWorked: boolean },
  now: Instant,
): Promise<{ proof: ReturnType<typeof requiredProof>; confirmsByMail: boolean }> {
  const network = await limits.findCountedNetwork(transaction, sender, now);
  const requester = { ...sender, network };
  const counts = requireFound(await limits.countRequests(transaction, requester, now));
  const confirmsByMail = counts.confirm_by_mail;
  const requests = {
    ofHour: counts.of_hour,
    ofDay: counts.of_day,
    ofNetworkAndHour: counts.of_network_and_hour,
    ofNetwork: counts.of_network,
  };
  if (!hasLimitsPerTime || !dependsOnHistory(requests)) return { proof: 'nothing', confirmsByMail };
  const busiestHour = await limits.countBusiestHour(transaction, requester.artistId, now);
  const history = { ...requests, busiestHour };
  const proof = requiredProof(history, NO_SHARES);
  // The shares take longer to compute: not for requests that must bring a proof of work first.
  if (!wanted || proof === 'refused' || (proof !== 'nothing' && !hasWorked))
    return { proof, confirmsByMail };
  const shares = await loadTakenShares(transaction, requester, wanted, now);
  return { proof: requiredProof(history, shares), confirmsByMail };
}

/**
 * The shares of the listed times, and of the limited editions, that count for limits, once `wanted` is
 * taken too. Of the network also count the requester's own requests that they have proven.
 */
async function loadTakenShares(
  transaction: Database,
  requester: Requester,
  wanted: WantedTime,
  now: Instant,
): Promise<TakenShares> {
  const { artistId, network, email, wantsEdition } = requester;
  const sharesOf = await loadShares(transaction, requester, wanted.durationMinutes, now);
  const isOwn = isOfOwner(email);
  const ofTimes = sharesOf(
    (time) => isWithinNetwork(time.network, network) && (time.countsForLimits || isOwn(time)),
    wanted,
  );
  const ofEditions = wantsEdition
    ? takenEditionShare(await countLimitedEditions(transaction, artistId, network))
    : 0;
  return {
    byNetwork: Math.max(ofTimes.ofEach, ofEditions),
    byAll: sharesOf((time) => time.countsForLimits, wanted).together,
  };
}

/** Whether the client of a request has the same mailbox, or the same domain of their own. */
function isOfOwner(email: string | null): (time: limits.RequestedTime) => boolean {
  if (email === null) return () => false;
  const { name } = mailOwner(email);
  return (time) => time.email !== null && mailOwner(time.email).name === name;
}

/**
 * The shares of the listed times that these requests take together with a wanted time; those do not count
 * that a wanted time does not raise by replacing another one.
 */
type SharesOf = (
  isTaken: (time: limits.RequestedTime) => boolean,
  wanted?: Pick<WantedTime, 'blocked' | 'replaced'>,
) => Shares;

/**
 * @param judged the appointment whose time is judged does not count among the requested ones
 * @param durationMinutes of the requested service; undefined for the shortest one
 */
async function loadShares(
  transaction: Database,
  { artistId, appointmentId }: Pick<Requester, 'artistId' | 'appointmentId'>,
  durationMinutes: number | undefined,
  now: Instant,
): Promise<SharesOf> {
  const durations = await limits.listDurations(transaction, artistId);
  const requestedMinutes = durationMinutes ?? durations.at(-1);
  if (requestedMinutes === undefined) return () => NO_TIMES_TAKEN;
  const range = requireFound(await limits.findBookingRange(transaction, artistId));
  const { first, last } = bookableDates(range.booking_range, range.time_zone, now);
  const query = toCalendarQuery(first, last, now);
  const exceptAppointmentId = appointmentId ?? undefined;
  const calendar = await findCalendar(transaction, artistId, { ...query, exceptAppointmentId });
  // A deactivated artist lists no times.
  if (!calendar) return () => NO_TIMES_TAKEN;
  const requested = await listOtherTimes(transaction, { artistId, appointmentId }, now);
  const starts = new Set(requested.map(({ start }) => start));
  const otherBlocked = calendar.blocked.filter(({ start }) => !starts.has(start));
  return (isTaken, wanted) => {
    const rest = requested.filter((time) => !isTaken(time));
    const blocked = [...otherBlocked, ...rest].toSorted((a, b) => a.start - b.start);
    const own = requested.filter(isTaken);
    const taken = wanted ? [...own, wanted.blocked] : own;
    const replaced = wanted?.replaced ? [...own, wanted.replaced] : undefined;
    const services = [requestedMinutes, ...durations] as const;
    return takenShares({ ...calendar, blocked }, { taken, replaced }, services, now);
  };
}

/** All reserved times that clients requested, without that of the judged appointment. */
async function listOtherTimes(
  transaction: Database,
  { artistId, appointmentId }: Pick<Requester, 'artistId' | 'appointmentId'>,
  now: Instant,
): Promise<readonly limits.RequestedTime[]> {
  const requested = await limits.listRequestedTimes(transaction, artistId, now);
  return requested.filter(({ id }) => id !== appointmentId);
}

/**
 * Whether a sender takes no unusual share of the listed times with requests that they prove: with one
 * mailbox of a public provider, or with all mailboxes of another domain, whose owner can read them
 * all. Call it under the calendar lock.
 * @param requester `network` is null when it was forgotten
 */
export async function takesFairShare(
  context: Pick<Context, 'hasLimitsPerTime'>,
  transaction: Database,
  requester: Pick<Requester, 'artistId' | 'appointmentId'> & {
    readonly email: string;
    readonly network: string | null;
  },
  wanted: WantedTime,
  now: Instant,
): Promise<boolean> {
  if (!context.hasLimitsPerTime) return true;
  const { artistId, appointmentId, email } = requester;
  const network =
    requester.network &&
    (await limits.findCountedNetwork(
      transaction,
      { artistId, appointmentId, network: requester.network },
      now,
    ));
  const others = await listOtherTimes(transaction, requester, now);
  const isOwn = isOfOwner(email);
  const isProvenByOwner = (time: limits.RequestedTime) => time.isProven && isOwn(time);
  const isOfNetwork = (time: limits.RequestedTime) =>
    time.countsForLimits && network !== null && isWithinNetwork(time.network, network);
  const groups = mailOwner(email).isAtPublicProvider
    ? [{ group: 'mailbox', isMember: isProvenByOwner } as const]
    : [
        { group: 'domain', isMember: isProvenByOwner } as const,
        { group: 'network', isMember: isOfNetwork } as const,
      ];
  const large = groups.filter(({ isMember }) => !areFew(others.filter(isMember).length));
  if (large.length === 0) return true;
  const sharesOf = await loadShares(transaction, requester, wanted.durationMinutes, now);
  return large.every(({ group, isMember }) => isFairShare(group, sharesOf(isMember, wanted)));
}

/**
 * Warns the artist of unusually many requests that count for limits, or adds the request to the
 * warning. Call it after the request is inserted, or has reserved its time after the deadline.
 */
export async function raiseAlarmIfSuspicious(
  context: Context,
  transaction: Database,
  artist: Parameters<typeof toAccountSnapshot>[0],
  appointmentId: string,
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  if (await limits.addToAlarm(transaction, artist.id, appointmentId, now)) return;
  const start = await limits.findUnalarmedStart(transaction, artist.id, now);
  const requests = await limits.countNewRequests(transaction, artist.id, start, now);
  const since = await findBatchStart(transaction, artist.id, requests, start, now);
  if (since === undefined) return;
  const alarm = await limits.raiseBookingAlarm(transaction, artist.id, since, now);
  if (!alarm.isNew) return;
  const { bookings } = await limits.countBatch(transaction, alarm.id);
  await notify(context, transaction, artist.id, [
    { kind: 'booking_alarm', artist: toAccountSnapshot(artist), alarm: alarm.id, bookings },
  ]);
}

/** Since when the requests are suspicious; undefined when they are not. */
async function findBatchStart(
  transaction: Database,
  artistId: string,
  requests: NewRequests,
  start: Instant,
  now: Instant,
): Promise<Instant | undefined> {
  if (areSuspicious(requests, 0)) {
    const busiestHour = await limits.countBusiestHour(transaction, artistId, now);
    if (areSuspicious({ ...requests, ofDay: 0 }, busiestHour))
      return Math.max(start, now - HOUR_MS);
    if (areSuspicious(requests, busiestHour)) return start;
  }
  if (!mayTakeSuspiciousShare(requests)) return undefined;
  const judged = { artistId, appointmentId: null };
  const sharesOf = await loadShares(transaction, judged, undefined, now);
  const { together } = sharesOf(
    (time) => time.countsForLimits && !time.isSetByArtist && time.countedAt >= start,
  );
  return isSuspiciousShare(together) ? start : undefined;
}
