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
  type TakenShares,
  takenEditionShare,
  takenShare,
} from '#domain/booking_limits.ts';
import { bookableDates } from '#domain/booking_range.ts';
import { mailOwner } from '#domain/mail_owner.ts';
import { RateLimited, requireFound } from '#domain/refusal.ts';
import { HOUR_MS, HOUR_SECONDS, type Instant } from '#domain/time.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { countLimitedEditions } from '#server/database/editions.ts';
import { toCalendarQuery } from './availability.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { createProofOfWorkTask } from './proof_of_work.ts';

const NO_SHARES: TakenShares = { byNetwork: 0, byAll: 0 };

/** The time that a request of a service would take, with its buffer. */
export interface WantedTime {
  readonly durationMinutes: number;
  readonly blocked: TimeRange;
}

interface Requester {
  readonly artistId: string;
  readonly network: string;
  /** As typed; null for none. */
  readonly email: string | null;
  /** Whether the request wants a design with a limit. */
  readonly wantsEdition: boolean;
  /** Whether a valid proof of work came with the request. */
  readonly hasWorked: boolean;
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
  requester: Requester,
  wanted: WantedTime | null,
  now: Instant,
): Promise<{ mustProveEmail: boolean; isReserved: boolean }> {
  const { proof, confirmsByMail } = await judge(context, transaction, requester, wanted, now);
  if (proof === 'refused') throw new RateLimited(HOUR_SECONDS);
  if (proof !== 'nothing' && !requester.hasWorked)
    throw await createProofOfWorkTask(context, requester.artistId);
  const isReserved = proof !== 'mail';
  return { mustProveEmail: !isReserved || confirmsByMail, isReserved };
}

/**
 * Whether only the mailed link may reserve a time that is not reserved yet. Without this check, no
 * limit would count holds that expire and are confirmed later.
 */
export async function needsMailedLink(
  context: Context,
  transaction: Database,
  requester: Omit<Requester, 'hasWorked'>,
  wanted: WantedTime,
  now: Instant,
): Promise<boolean> {
  const judged = { ...requester, hasWorked: true };
  const { proof } = await judge(context, transaction, judged, wanted, now);
  return proof === 'mail' || proof === 'refused';
}

async function judge(
  { hasLimitsPerTime }: Context,
  transaction: Database,
  { hasWorked, ...requester }: Requester,
  wanted: WantedTime | null,
  now: Instant,
): Promise<{ proof: ReturnType<typeof requiredProof>; confirmsByMail: boolean }> {
  const { artistId, network } = requester;
  const counts = requireFound(await limits.countRequests(transaction, artistId, network, now));
  const confirmsByMail = counts.confirm_by_mail;
  const requests = {
    ofHour: counts.of_hour,
    ofDay: counts.of_day,
    ofNetworkAndHour: counts.of_network_and_hour,
    ofNetwork: counts.of_network,
  };
  if (!hasLimitsPerTime || !dependsOnHistory(requests)) return { proof: 'nothing', confirmsByMail };
  const busiestHour = await limits.countBusiestHour(transaction, artistId, now);
  const history = { ...requests, busiestHour };
  const proof = requiredProof(history, NO_SHARES);
  // The shares take longer to compute: not for requests that must bring a proof of work first.
  if (!wanted || proof === 'refused' || (proof !== 'nothing' && !hasWorked))
    return { proof, confirmsByMail };
  const shares = await loadTakenShares(transaction, requester, wanted, now);
  return { proof: requiredProof(history, shares), confirmsByMail };
}

/**
 * The shares of the listed times, and of the limited editions, that count for limits, once `wanted` is taken too. Of the network
 * also count the requester's own requests that they have proven.
 */
async function loadTakenShares(
  transaction: Database,
  { artistId, network, email, wantsEdition }: Omit<Requester, 'hasWorked'>,
  wanted: WantedTime,
  now: Instant,
): Promise<TakenShares> {
  const requested = await limits.listRequestedTimes(transaction, artistId, now);
  const shareOf = await loadShares(transaction, artistId, requested, wanted.durationMinutes, now);
  const isOwn = isOfOwner(email);
  const ofTimes = shareOf(
    (time) => time.network === network && (time.countsForLimits || isOwn(time)),
    wanted.blocked,
  );
  const ofEditions = wantsEdition
    ? takenEditionShare(await countLimitedEditions(transaction, artistId, network))
    : 0;
  return {
    byNetwork: Math.max(ofTimes, ofEditions),
    byAll: shareOf((time) => time.countsForLimits, wanted.blocked),
  };
}

/** Whether the client of a request has the same mailbox, or the same domain of their own. */
function isOfOwner(email: string | null): (time: limits.RequestedTime) => boolean {
  if (email === null) return () => false;
  const { name } = mailOwner(email);
  return (time) => time.email !== null && mailOwner(time.email).name === name;
}

/** The share of the listed times, 0 to 1, that these requests take together with `others`. */
type ShareOf = (
  isTaken: (time: limits.RequestedTime) => boolean,
  ...others: readonly TimeRange[]
) => number;

/**
 * @param requested all reserved times that clients requested
 * @param durationMinutes of the requested service; undefined for the shortest one
 */
async function loadShares(
  transaction: Database,
  artistId: string,
  requested: readonly limits.RequestedTime[],
  durationMinutes: number | undefined,
  now: Instant,
): Promise<ShareOf> {
  const { shortest = durationMinutes, longest = durationMinutes } =
    (await limits.findDurations(transaction, artistId)) ?? {};
  if (shortest === undefined || longest === undefined) return () => 0;
  const range = requireFound(await limits.findBookingRange(transaction, artistId));
  const { first, last } = bookableDates(range.booking_range, range.time_zone, now);
  const calendar = await findCalendar(transaction, artistId, toCalendarQuery(first, last, now));
  // A deactivated artist lists no times.
  if (!calendar) return () => 0;
  const starts = new Set(requested.map(({ start }) => start));
  const otherBlocked = calendar.blocked.filter(({ start }) => !starts.has(start));
  const durations = { requested: durationMinutes ?? shortest, longest };
  return (isTaken, ...others) => {
    const rest = requested.filter((time) => !isTaken(time));
    const blocked = [...otherBlocked, ...rest].toSorted((a, b) => a.start - b.start);
    const taken = [...requested.filter(isTaken), ...others];
    return takenShare({ ...calendar, blocked }, taken, durations, now);
  };
}

/** A request whose client uses the mailed link. */
export interface ProvingRequest {
  readonly id: string;
  readonly artistId: string;
  readonly email: string;
  /** Null when it was forgotten. */
  readonly network: string | null;
  readonly wanted: WantedTime;
}

/**
 * Whether a sender takes no unusual share of the listed times with requests that they prove: with one
 * mailbox of a public provider, or with all mailboxes of another domain, whose owner can read them
 * all. Call it under the calendar lock.
 */
export async function takesFairShare(
  context: Pick<Context, 'hasLimitsPerTime'>,
  transaction: Database,
  request: ProvingRequest,
  now: Instant,
): Promise<boolean> {
  if (!context.hasLimitsPerTime) return true;
  const owner = mailOwner(request.email);
  const requested = await limits.listRequestedTimes(transaction, request.artistId, now);
  const others = requested.filter(({ id }) => id !== request.id);
  const isOwn = isOfOwner(request.email);
  const isProvenByOwner = (time: limits.RequestedTime) => time.isProven && isOwn(time);
  const isOfNetwork = (time: limits.RequestedTime) =>
    time.countsForLimits && time.network === request.network;
  const groups = owner.isAtPublicProvider
    ? [{ group: 'mailbox', isMember: isProvenByOwner } as const]
    : [
        { group: 'domain', isMember: isProvenByOwner } as const,
        { group: 'network', isMember: isOfNetwork } as const,
      ];
  const large = groups.filter(({ isMember }) => !areFew(others.filter(isMember).length));
  if (large.length === 0) return true;
  const { artistId, wanted } = request;
  const shareOf = await loadShares(transaction, artistId, requested, wanted.durationMinutes, now);
  return large.every(({ group, isMember }) => {
    const isTaken = (time: limits.RequestedTime) => time.id === request.id || isMember(time);
    return isFairShare(group, shareOf(isTaken, wanted.blocked));
  });
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
  const requested = await limits.listRequestedTimes(transaction, artistId, now);
  const shareOf = await loadShares(transaction, artistId, requested, undefined, now);
  const share = shareOf(
    (time) => time.countsForLimits && !time.isSetByArtist && time.countedAt >= start,
  );
  return isSuspiciousShare(share) ? start : undefined;
}
