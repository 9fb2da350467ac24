/** Limits of requests to an artist: which proof a request needs, which times one sender may take, and alarms. */
import { type BufferedTime, blockedRange } from '#domain/booking/availability.ts';
import {
  areFew,
  dependsOnHistory,
  isFairShare,
  type NewRequests,
  requiredProof,
  type Shares,
  suspiciousRequests,
  type TakenShares,
  takenEditionShare,
  takenShares,
} from '#domain/booking/booking_limits.ts';
import { bookableDates } from '#domain/booking/booking_range.ts';
import { mailOwner } from '#domain/mail/mail_owner.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { FREE_REQUESTS_OF_ARTIST } from '#domain/requests/limits.ts';
import { isWithinNetwork } from '#domain/requests/network.ts';
import { addDays } from '#domain/time/calendar_date.ts';
import { HOUR_MS, HOUR_SECONDS, type Instant, MINUTE_MS } from '#domain/time/time.ts';
import type { AppointmentRow } from '#server/database/appointments.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendarWithDurations } from '#server/database/calendar.ts';
import type { Transaction } from '#server/database/connect.ts';
import { countLimitedEditions } from '#server/database/editions.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { toCalendarQuery } from './availability.ts';
import { createProofOfWorkTask } from './proof_of_work.ts';

const NO_SHARES: TakenShares = { byNetwork: 0, byAll: 0 };

/** A time that a client wants. */
interface WantedTime extends BufferedTime {
  /** The time that a move gives up for it; null or unset for none. */
  readonly replaced?: BufferedTime | null;
}

/** Which requests to an artist count: all but that of `appointmentId`, or all if it is null. */
type CountedScope = Pick<limits.CountedSender, 'artistId' | 'appointmentId'>;

/**
 * Loads the calendar of an artist and the lengths of what they offer, from which the listed times follow; undefined
 * for an inactive artist. The first call runs one query, and further calls return its result.
 */
type LoadListing = () => ReturnType<typeof findCalendarWithDurations>;

/** Call it under the calendar lock. A time that the change reserves later may be missing: `loadShares` adds it. */
export function loadListingOnce(
  transaction: Transaction,
  { artistId, appointmentId }: CountedScope,
  now: Instant,
): LoadListing {
  // All dates that clients may ever book, in any zone. `takenShares` counts only those of the artist's range.
  const { first, last } = bookableDates({ kind: 'open' }, 'UTC', now);
  const query = {
    ...toCalendarQuery({ first: addDays(first, -1), last: addDays(last, 1) }, now),
    exceptAppointmentId: appointmentId ?? undefined,
  };
  let found: ReturnType<LoadListing> | undefined;
  return () => {
    found ??= findCalendarWithDurations(transaction, artistId, query);
    return found;
  };
}

/** A client who takes a time, or sends a request. */
interface Requester extends CountedScope {
  readonly loadListing: LoadListing;
  /** How many requests count: those of the requester's network, and of all. */
  readonly counts: limits.RequestCounts;
  /** As typed; null for none. */
  readonly email: string | null;
  /** Whether it takes an edition of a design with a limit. */
  readonly wantsEdition: boolean;
  /** Whether a valid proof of work came with the request. */
  readonly hasProofOfWork: boolean;
}

/**
 * Demands the proof that a request to an artist needs; earlier requests decide. Call it under the calendar
 * lock, so that concurrent requests count each other.
 * @param wanted null for a request without a time
 * @returns whether only the mailed link confirms the appointment, and whether its time is reserved
 *   until then
 * @throws ProofOfWorkRequired when the proof of work is missing
 * @throws RateLimited when the network sends too many requests
 */
export async function requireProof(
  context: InChange<Context>,
  requester: Requester,
  wanted: WantedTime | null,
  now: Instant,
): Promise<{ mustProveEmail: boolean; isReserved: boolean }> {
  const proof = await findNeededProof(context, requester, wanted, now);
  if (proof === 'refused') throw new RateLimited(HOUR_SECONDS);
  if (proof !== 'nothing' && !requester.hasProofOfWork)
    throw await createProofOfWorkTask(context, requester.artistId, now);
  const isReserved = proof !== 'mail';
  return { mustProveEmail: !isReserved || requester.counts.confirmsByMail, isReserved };
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
  context: InChange<Context>,
  row: AppointmentRow,
  { wanted, network, isMove }: { wanted: WantedTime; network: string; isMove: boolean },
  now: Instant,
): Promise<void> {
  const { email, id: appointmentId, artist_id: artistId } = row;
  const sender = { artistId, appointmentId, network: row.network ?? network };
  if (row.mail_link_used && email !== null) {
    if (await takesFairShare(context, { ...sender, email }, wanted, now)) return;
    throw refuse('sender_took_share');
  }
  const wantsEdition = !isMove && row.design_id !== null && row.editions !== null;
  const counts = requireFound(await limits.countRequests(context.database, sender, now));
  const loadListing = loadListingOnce(context.database, sender, now);
  // These calls bring no proof of work, so it is not asked for: only the mailed link can be missing.
  const requester = { ...sender, loadListing, counts, email, wantsEdition, hasProofOfWork: true };
  const proof = await findNeededProof(context, requester, wanted, now);
  // Not RateLimited if `refused`: unlike a new request, an appointment has a mailed link, and passes with it.
  if (proof === 'mail' || proof === 'refused')
    throw refuse(isMove ? 'move_not_proven' : 'email_not_proven');
}

/** The proof that a request needs; none while no limits per time are on. */
async function findNeededProof(
  { hasLimitsPerTime, database }: InChange<Context>,
  requester: Requester,
  wanted: WantedTime | null,
  now: Instant,
): Promise<ReturnType<typeof requiredProof>> {
  const { counts, hasProofOfWork } = requester;
  if (!hasLimitsPerTime) return 'nothing';
  const proof = requiredProof(counts, NO_SHARES);
  // The shares take longer to compute, so a request that lacks its proof of work is refused without them.
  const isDecided = proof === 'refused' || (proof !== 'nothing' && !hasProofOfWork);
  if (!wanted || isDecided || !dependsOnHistory(counts)) return proof;
  return requiredProof(counts, await loadTakenShares(database, requester, wanted, now));
}

/**
 * The shares of the listed times, and of the limited editions, that count for limits, once `wanted` is
 * taken too. Of the network, all requests of the requester's mailbox, or own domain, count.
 */
async function loadTakenShares(
  transaction: Transaction,
  requester: Requester,
  wanted: WantedTime,
  now: Instant,
): Promise<TakenShares> {
  const { artistId, loadListing, counts, email, wantsEdition } = requester;
  const { network } = counts;
  const requested = await limits.listRequestedTimes(transaction, requester, now);
  const sharesOf = await loadShares(loadListing, requested, wanted, now);
  const isOwn = isOfOwner(email);
  const ofTimes = sharesOf(
    (time) => isWithinNetwork(time.network, network) && (time.countsForLimits || isOwn(time)),
  );
  const ofEditions = wantsEdition
    ? takenEditionShare(await countLimitedEditions(transaction, artistId, network))
    : 0;
  return {
    byNetwork: Math.max(ofTimes.ofEach, ofEditions),
    // People who share nothing but the artist may take all times of a long service.
    byAll: sharesOf((time) => time.countsForLimits).together,
  };
}

/** Whether the client of a request has the same mailbox, or the same domain of their own. */
function isOfOwner(email: string | null): (time: limits.RequestedTime) => boolean {
  if (email === null) return () => false;
  const { name } = mailOwner(email);
  return (time) => time.email !== null && mailOwner(time.email).name === name;
}

/**
 * Reads what the artist lists, to compute which shares some of the requested times take of it, together
 * with the wanted time. If that replaces another time, only the shares that it raises count.
 * @param wanted null for none: then the shortest service counts as the requested one
 */
async function loadShares(
  loadListing: LoadListing,
  requested: readonly limits.RequestedTime[],
  wanted: WantedTime | null,
  now: Instant,
): Promise<(isTaken: (time: limits.RequestedTime) => boolean) => Shares> {
  const found = await loadListing();
  const requestedMinutes = wanted
    ? (wanted.end - wanted.start) / MINUTE_MS
    : found?.durations.at(-1);
  // A deactivated artist lists no times.
  if (!found || requestedMinutes === undefined) return () => ({ ofEach: 0, together: 0 });
  const { calendar, durations } = found;
  // Reserved times never overlap, so no two have the same start.
  const starts = new Set(requested.map(({ start }) => start));
  const otherBlocked = calendar.blocked.filter(({ start }) => !starts.has(start));
  return (isTaken) => {
    const blocked = [...otherBlocked, ...requested.filter((time) => !isTaken(time))];
    const own = requested.filter(isTaken);
    const taken = wanted ? [...own, blockedRange(wanted)] : own;
    const replaced = wanted?.replaced ? [...own, blockedRange(wanted.replaced)] : undefined;
    const services = [requestedMinutes, ...durations] as const;
    return takenShares({ ...calendar, blocked }, { taken, replaced }, services, now);
  };
}

/**
 * Whether a sender takes no unusual share of the listed times with requests that they prove: with one mailbox
 * of a public provider, or with all mailboxes of another domain, whose owner can read them all and may own other
 * domains: so the share of their network must be usual, too. Call it under the calendar lock.
 * @param sender `network` is null when it was forgotten
 */
export async function takesFairShare(
  { hasLimitsPerTime, database }: InChange<Context>,
  sender: CountedScope & { readonly email: string; readonly network: string | null },
  wanted: WantedTime,
  now: Instant,
): Promise<boolean> {
  if (!hasLimitsPerTime) return true;
  const requested = await limits.listRequestedTimes(database, sender, now);
  const isOwn = isOfOwner(sender.email);
  const isProvenByOwner = (time: limits.RequestedTime) => time.isProven && isOwn(time);
  const groups = mailOwner(sender.email).isAtPublicProvider
    ? [{ group: 'mailbox', isMember: isProvenByOwner } as const]
    : [
        { group: 'domain', isMember: isProvenByOwner } as const,
        { group: 'network', isMember: await loadIsOfNetwork(database, sender, now) } as const,
      ];
  const large = groups.filter(({ isMember }) => !areFew(requested.filter(isMember).length));
  if (large.length === 0) return true;
  const sharesOf = await loadShares(loadListingOnce(database, sender, now), requested, wanted, now);
  return large.every(({ group, isMember }) => isFairShare(group, sharesOf(isMember)));
}

/** Whether a request that counts for limits came from the sender's network. A deleted artist has no counts. */
async function loadIsOfNetwork(
  transaction: Transaction,
  { network, ...sender }: CountedScope & { readonly network: string | null },
  now: Instant,
): Promise<(time: limits.RequestedTime) => boolean> {
  if (network === null) return () => false;
  const counts = await limits.countRequests(transaction, { ...sender, network }, now);
  const countedNetwork = counts?.network ?? network;
  return (time) => time.countsForLimits && isWithinNetwork(time.network, countedNetwork);
}

/**
 * Warns the artist of unusually many requests that count for limits, or adds the request to a warning that is
 * open. Call it after the request is inserted, or has reserved its time after the deadline.
 */
export async function raiseAlarmIfSuspicious(
  context: InChange<Context>,
  artist: Parameters<typeof toAccountSnapshot>[0],
  { appointmentId, loadListing }: { appointmentId: string; loadListing: LoadListing },
  now: Instant,
): Promise<void> {
  const { hasLimitsPerTime, database } = context;
  if (!hasLimitsPerTime) return;
  const requests = await limits.joinAlarm(database, artist.id, appointmentId, now);
  if (requests === null) return;
  const scope = { artistId: artist.id, appointmentId: null, loadListing };
  const suspicious = await findSuspicious(database, scope, requests, now);
  if (suspicious === undefined) return;
  const since = suspicious === 'hour' ? Math.max(requests.since, now - HOUR_MS) : requests.since;
  const alarm = await limits.raiseBookingAlarm(database, artist.id, since, now);
  if (!alarm.isNew) return;
  const { bookings } = await limits.countBatch(database, alarm.id);
  const facts = { artist: toAccountSnapshot(artist), alarm: alarm.id, bookings };
  await notify(context, { notices: [{ kind: 'booking_alarm', ...facts }] });
}

/** Which requests are suspicious by their number, or by their share of the listed times. */
async function findSuspicious(
  transaction: Transaction,
  { loadListing, ...scope }: CountedScope & { readonly loadListing: LoadListing },
  requests: NewRequests & { readonly since: Instant },
  now: Instant,
): Promise<ReturnType<typeof suspiciousRequests>> {
  const withoutShare = { ...requests, share: 0 };
  // A busier hour only raises the limits of numbers: it matters neither for few requests nor for the share.
  const mayBeMany = suspiciousRequests(withoutShare, 0) !== undefined;
  const { artistId } = scope;
  const busiestHour = mayBeMany ? await limits.countBusiestHour(transaction, artistId, now) : 0;
  const byNumber = suspiciousRequests(withoutShare, busiestHour);
  if (byNumber !== undefined || requests.ofDay < FREE_REQUESTS_OF_ARTIST) return byNumber;
  const requested = await limits.listRequestedTimes(transaction, scope, now);
  const sharesOf = await loadShares(loadListing, requested, null, now);
  const { together: share } = sharesOf(
    (time) => time.countsForLimits && !time.isSetByArtist && time.countedAt >= requests.since,
  );
  return suspiciousRequests({ ...requests, share }, busiestHour);
}
