/** Decides when a booking request must prove that no program sends it. */

import {
  alarmLimits,
  FREE_REQUESTS_OF_ARTIST,
  FREE_REQUESTS_OF_NETWORK,
  firstExceeded,
  requestLimits,
  type SenderGroup,
  SHARE_LIMITS,
} from '../requests/limits.ts';
import { addDays, earlierDate, type LocalDate } from '../time/calendar_date.ts';
import { DAY_MS, type Instant } from '../time/time.ts';
import { type Calendar, computeSlots, type FreeDay, type TimeRange } from './availability.ts';
import { bookableDates } from './booking_range.ts';

/** `mail`: only the link that we mail to the client confirms the appointment. */
type RequiredProof = 'nothing' | 'proof_of_work' | 'mail';

/**
 * The requests to an artist that count: those whose senders have not proven an email at a public
 * provider. A request that is judged now is not among them.
 */
export interface CountedRequests {
  /** Of the last hour, from all networks. */
  readonly ofHour: number;
  /** Of the last 24 hours, from all networks. */
  readonly ofDay: number;
  /** Of the last hour, from the network of the request. */
  readonly ofNetworkAndHour: number;
  /** From the network: of the last 24 hours, and those of the last weeks that are confirmed. */
  readonly ofNetwork: number;
  /** The most requests to this artist in any one hour of the last weeks. */
  readonly busiestHour: number;
}

/** The shares, 0 to 1, of the artist's times that counted requests take. */
export interface TakenShares {
  /** Of the listed times, or of the limited editions if the request wants one: the larger share. */
  readonly byNetwork: number;
  /** Of the listed times. */
  readonly byAll: number;
}

/** Clients look for a time within these days. */
const NEAR_DAYS = 60;

/**
 * Decides which proof the next request needs; `refused`: the network sends too many requests. A time
 * that needs `mail` stays free for others until its client has confirmed.
 */
export function requiredProof(
  { ofHour, ofDay, ofNetworkAndHour, ofNetwork, busiestHour }: CountedRequests,
  taken: TakenShares,
): RequiredProof | 'refused' {
  const exceeded = firstExceeded(requestLimits(busiestHour), {
    ofHour: ofHour + 1,
    ofNetworkAndHour: ofNetworkAndHour + 1,
    // The first requests pass, however few times the artist lists.
    shareOfNetwork: ofNetwork < FREE_REQUESTS_OF_NETWORK ? 0 : taken.byNetwork,
    shareOfAll: ofDay < FREE_REQUESTS_OF_ARTIST ? 0 : taken.byAll,
  });
  return exceeded?.beyond ?? 'nothing';
}

/** The limited designs of an artist, counted by editions: two of a design with two editions are two. */
export interface LimitedEditions {
  /** Those that requests of the network use up and that count for limits. */
  readonly ofNetwork: number;
  /** Those that clients can book now. */
  readonly left: number;
}

/**
 * The share of the limited editions, 0 to 1, that a network takes once it has one more. Its first ones do
 * not count, however few the artist has.
 */
export function takenEditionShare({ ofNetwork, left }: LimitedEditions): number {
  return ofNetwork < FREE_REQUESTS_OF_NETWORK ? 0 : (ofNetwork + 1) / (ofNetwork + left);
}

/** Whether `requiredProof` depends on the shares and the busiest hour. If not, it is `nothing`. */
export function dependsOnHistory({
  ofDay,
  ofNetwork,
}: Omit<CountedRequests, 'busiestHour'>): boolean {
  return ofNetwork >= FREE_REQUESTS_OF_NETWORK || ofDay >= FREE_REQUESTS_OF_ARTIST;
}

/** The largest shares, 0 to 1, that some requests take of the artist's listed times. */
export interface Shares {
  /** Of the times of one service. */
  readonly ofEach: number;
  /** Of the times of the requested service, and of it together with the longest. */
  readonly together: number;
}

/** Whether a sender has so few other requests that their share need not be computed. */
export function areFew(requests: number): boolean {
  return requests < FREE_REQUESTS_OF_NETWORK;
}

/** Whether the requests of one sender take no unusual share. @param group how the sender is known */
export function isFairShare(group: SenderGroup, shares: Shares): boolean {
  const { ofEach, together } = SHARE_LIMITS[group];
  return shares.ofEach <= ofEach && shares.together <= together;
}

/**
 * Whether a client may still reserve a time that is not reserved yet: later, the limits no longer
 * count the request.
 */
export function mayStillReserve(requestedAt: Instant, now: Instant): boolean {
  return now - requestedAt <= 14 * DAY_MS;
}

/** Requests that count for limits, of which the artist has not yet been warned. */
export interface NewRequests {
  readonly ofHour: number;
  readonly ofDay: number;
}

/**
 * The requests of which the artist should be warned: those of the hour or of the day; undefined for none.
 * @param requests `share`: of the listed times, 0 to 1, that those of the day take
 */
export function suspiciousRequests(
  requests: NewRequests & { readonly share: number },
  busiestHour: number,
): 'hour' | 'day' | undefined {
  // A few requests may take a large share of a short calendar.
  const share = requests.ofDay < FREE_REQUESTS_OF_ARTIST ? 0 : requests.share;
  return firstExceeded(alarmLimits(busiestHour), { ...requests, share })?.warnsOf;
}

/**
 * The shares that `taken` removes: the larger of those of the next 60 days and of the whole booking range. In a
 * whole year, a share is small even if the next weeks are taken. Each length is counted by itself, too: a short
 * appointment in the middle of a day can remove all times of a long service, but few of a short one.
 * @param calendar its `blocked` contains none of `taken`
 * @param taken in any order, with buffers
 * @param durations of the requested service first, then of all, in minutes
 * @param replaced the times that `taken` replaces: shares that they have taken already do not count
 */
export function takenShares(
  calendar: Calendar,
  {
    taken,
    replaced,
  }: { readonly taken: readonly TimeRange[]; readonly replaced?: readonly TimeRange[] | undefined },
  durations: readonly [number, ...number[]],
  now: Instant,
): Shares {
  const dates = bookableDates(calendar.bookingRange, calendar.zone, now);
  const { first, last } = dates;
  const horizons = [last, earlierDate(last, addDays(first, NEAR_DAYS))];
  const lengths = [...new Set(durations)];
  // The slots that are listed while these times are blocked, too.
  const list = (times: readonly TimeRange[]): SlotsByDuration => {
    const blocked = [...calendar.blocked, ...times].toSorted((a, b) => a.start - b.start);
    return new Map(
      lengths.map((length) => [length, computeSlots({ ...calendar, blocked }, length, dates, now)]),
    );
  };
  const listed = list([]);
  const left = list(taken);
  const leftBefore = replaced && list(replaced);
  const shareUntil = (until: LocalDate, services: readonly number[]) => {
    const count = (slots: SlotsByDuration) => countUntil(slots, services, until);
    const gone = count(listed) - count(left);
    const takesMore = leftBefore === undefined || count(left) < count(leftBefore);
    return takesMore && gone > FREE_REQUESTS_OF_NETWORK ? gone / count(listed) : 0;
  };
  const share = (...services: readonly number[]) =>
    Math.max(...horizons.map((until) => shareUntil(until, services)));
  const [requested] = durations;
  const longest = Math.max(...lengths);
  return {
    ofEach: Math.max(...lengths.map((duration) => share(duration))),
    together: Math.max(share(requested), longest === requested ? 0 : share(requested, longest)),
  };
}

/** The free times that the artist's page lists, by the length of the service in minutes. */
type SlotsByDuration = ReadonlyMap<number, readonly FreeDay[]>;

/** How many times of these services are listed. @param until included */
function countUntil(slots: SlotsByDuration, services: readonly number[], until: LocalDate): number {
  return services
    .flatMap((length) => slots.get(length) ?? [])
    .reduce((sum, { date, times }) => sum + (date <= until ? times.length : 0), 0);
}
