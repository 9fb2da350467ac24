import type { TimeRange } from '#domain/availability.ts';
import {
  areSuspicious,
  dependsOnHistory,
  isSuspiciousShare,
  mayReserveByMail,
  mayTakeSuspiciousShare,
  requiredProof,
  type TakenShares,
  takenShare,
  type UnprovenRequests,
} from '#domain/booking_limits.ts';
import { bookableDates } from '#domain/booking_range.ts';
import { mailOwner } from '#domain/mail_owner.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_MS, HOUR_SECONDS, type Instant } from '#domain/time.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { toCalendarQuery } from './availability.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { createProofOfWorkTask } from './proof_of_work.ts';

const NO_SHARES: TakenShares = { byNetwork: 0, byAll: 0 };

/** The time that a request of a service would take, with its buffer. */
interface WantedTime {
  readonly durationMinutes: number;
  readonly blocked: TimeRange;
}

interface Requester {
  readonly artistId: string;
  readonly network: string;
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
  { artistId, network, hasWorked }: Requester,
  wanted: WantedTime | null,
  now: Instant,
): Promise<{ mustProveEmail: boolean; isReserved: boolean }> {
  const counts = requireFound(await limits.countRequests(transaction, artistId, network, now));
  if (!context.hasLimitsPerTime)
    return { mustProveEmail: counts.confirm_by_mail, isReserved: true };
  const requests = {
    ofHour: counts.of_hour,
    ofDay: counts.of_day,
    ofNetworkAndHour: counts.of_network_and_hour,
    ofNetwork: counts.of_network,
  };
  let proof: ReturnType<typeof requiredProof> = 'nothing';
  if (dependsOnHistory(requests)) {
    const busiestHour = await limits.countBusiestHour(transaction, artistId, now);
    const history = { ...requests, busiestHour };
    proof = requiredProof(history, NO_SHARES);
    // The shares take longer to compute: not for requests that must bring a proof of work first.
    if (wanted && proof !== 'refused' && (proof === 'nothing' || hasWorked))
      proof = requiredProof(
        history,
        await loadTakenShares(transaction, artistId, network, wanted, now),
      );
  }
  if (proof === 'refused') throw new RateLimited(HOUR_SECONDS);
  if (proof !== 'nothing' && !hasWorked) throw await createProofOfWorkTask(context, artistId);
  const isReserved = proof !== 'mail';
  return { mustProveEmail: !isReserved || counts.confirm_by_mail, isReserved };
}

/** The shares of the listed times that count for limits, once `wanted` is taken too. */
async function loadTakenShares(
  transaction: Database,
  artistId: string,
  network: string,
  wanted: WantedTime,
  now: Instant,
): Promise<TakenShares> {
  const shareOf = await loadShares(transaction, artistId, wanted.durationMinutes, now);
  return {
    byNetwork: shareOf((time) => time.countsForLimits && time.network === network, wanted.blocked),
    byAll: shareOf((time) => time.countsForLimits, wanted.blocked),
  };
}

/** The share of the listed times, 0 to 1, that these requests take together with `others`. */
type ShareOf = (
  isTaken: (time: limits.RequestedTime) => boolean,
  ...others: readonly TimeRange[]
) => number;

/** @param durationMinutes of the requested service; undefined for the longest one */
async function loadShares(
  transaction: Database,
  artistId: string,
  durationMinutes: number | undefined,
  now: Instant,
): Promise<ShareOf> {
  const requested = await limits.listRequestedTimes(transaction, artistId, now);
  const longest = (await limits.findLongestDuration(transaction, artistId)) ?? durationMinutes;
  if (longest === undefined) return () => 0;
  const range = requireFound(await limits.findBookingRange(transaction, artistId));
  const { first, last } = bookableDates(range.booking_range, range.time_zone, now);
  const calendar = requireFound(
    await findCalendar(transaction, artistId, toCalendarQuery(first, last, now)),
  );
  const starts = new Set(requested.map(({ start }) => start));
  const otherBlocked = calendar.blocked.filter(({ start }) => !starts.has(start));
  const durations = { requested: durationMinutes ?? longest, longest };
  return (isTaken, ...others) => {
    const rest = requested.filter((time) => !isTaken(time));
    const blocked = [...otherBlocked, ...rest].toSorted((a, b) => a.start - b.start);
    const taken = [...requested.filter(isTaken), ...others];
    return takenShare({ ...calendar, blocked }, taken, durations, now);
  };
}

/** A hold whose client proves the email now. */
interface ProvenHold {
  readonly id: string;
  readonly artistId: string;
  readonly email: string;
  /** Null when it was forgotten. */
  readonly network: string | null;
  readonly blocked: TimeRange;
}

/**
 * Refuses to reserve a time by the mailed link when the same sender has proven many already. Call it
 * under the calendar lock.
 * @throws Refusal `sender_took_share`
 */
export async function requireFairShare(
  context: Pick<Context, 'hasLimitsPerTime'>,
  transaction: Database,
  hold: ProvenHold,
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  const owner = mailOwner(hold.email);
  const requested = await limits.listRequestedTimes(transaction, hold.artistId, now);
  const isOfNetwork = (time: limits.RequestedTime) =>
    time.id !== hold.id && time.countsForLimits && time.network === hold.network;
  const isOfOwner = (time: limits.RequestedTime) =>
    time.id !== hold.id &&
    time.isProven &&
    time.email !== null &&
    mailOwner(time.email).name === owner.name;
  const count = requested.filter((time) => isOfNetwork(time) || isOfOwner(time)).length;
  const shareOf = await loadShares(transaction, hold.artistId, undefined, now);
  const isAllowed = mayReserveByMail({
    isAtPublicProvider: owner.isAtPublicProvider,
    count,
    shareOfNetwork: shareOf((time) => time.id === hold.id || isOfNetwork(time), hold.blocked),
    shareOfOwner: shareOf((time) => time.id === hold.id || isOfOwner(time), hold.blocked),
  });
  if (!isAllowed) throw refuse('sender_took_share');
}

/**
 * Warns the artist of unusually many unproven requests, or adds the request to the warning. Call it
 * after the request is inserted.
 */
export async function raiseAlarmIfSuspicious(
  context: Context,
  transaction: Database,
  artist: PublicArtistRow,
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  if (await limits.extendBatch(transaction, artist.id, now)) return;
  const start = await limits.findUnalarmedStart(transaction, artist.id, now);
  const requests = await limits.countNewUnproven(transaction, artist.id, start, now);
  const since = await findBatchStart(transaction, artist.id, requests, start, now);
  if (since === undefined) return;
  const alarmId = await limits.insertBookingAlarm(transaction, artist.id, since, now);
  if (alarmId === undefined) return;
  const bookings = since === start ? requests.ofDay : requests.ofHour;
  await notify(context, transaction, artist.id, [
    { kind: 'booking_alarm', artist: toAccountSnapshot(artist), alarm: alarmId, bookings },
  ]);
}

/** Since when unproven requests are suspicious; undefined when they are not. */
async function findBatchStart(
  transaction: Database,
  artistId: string,
  requests: UnprovenRequests,
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
  const shareOf = await loadShares(transaction, artistId, undefined, now);
  const share = shareOf((time) => !time.isProven && time.requestedAt >= start);
  return isSuspiciousShare(share) ? start : undefined;
}
