import type { TimeRange } from '#domain/availability.ts';
import {
  dependsOnHistory,
  isSuspicious,
  requiredProof,
  type TakenShares,
  takenShare,
} from '#domain/booking_limits.ts';
import { bookableDates } from '#domain/booking_range.ts';
import { RateLimited, requireFound } from '#domain/refusal.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { toCalendarQuery } from './availability.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { createProofOfWorkTask } from './proof_of_work.ts';

const NO_SHARES: TakenShares = { byNetwork: 0, byAll: 0 };

const RETRY_AFTER_SECONDS = HOUR_MS / 1000;

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
 * Demands the proof that a request to an artist needs; the requests whose senders did not prove their
 * email decide. For a request with a time, call it under the calendar lock, so
 * that concurrent requests count each other.
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
  const counts = requireFound(
    await limits.countUnprovenRequests(transaction, artistId, network, now),
  );
  if (!context.hasLimitsPerTime)
    return { mustProveEmail: counts.confirm_by_mail, isReserved: true };
  const requests = {
    ofHour: counts.of_hour,
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
  if (proof === 'refused') throw new RateLimited(RETRY_AFTER_SECONDS);
  if (proof !== 'nothing' && !hasWorked) throw await createProofOfWorkTask(context, artistId);
  const isReserved = proof !== 'mail';
  return { mustProveEmail: !isReserved || counts.confirm_by_mail, isReserved };
}

/** The shares of the listed times that are taken without proof once `wanted` is taken too. */
async function loadTakenShares(
  transaction: Database,
  artistId: string,
  network: string,
  { durationMinutes, blocked }: WantedTime,
  now: Instant,
): Promise<TakenShares> {
  const unproven = await limits.listUnprovenTimes(transaction, artistId, now);
  const longest = (await limits.findLongestDuration(transaction, artistId)) ?? durationMinutes;
  const range = requireFound(await limits.findBookingRange(transaction, artistId));
  const { first, last } = bookableDates(range.booking_range, range.time_zone, now);
  const calendar = requireFound(
    await findCalendar(transaction, artistId, toCalendarQuery(first, last, now)),
  );
  const keys = new Set(unproven.map(({ start }) => start));
  const proven = calendar.blocked.filter(({ start }) => !keys.has(start));
  const durations = { requested: durationMinutes, longest };
  const shareOf = (isTaken: (time: { readonly network: string }) => boolean) => {
    const others = unproven.filter((time) => !isTaken(time));
    return takenShare(
      { ...calendar, blocked: inOrder([...proven, ...others]) },
      [...unproven.filter(isTaken), blocked],
      durations,
      now,
    );
  };
  return {
    byNetwork: shareOf((time) => time.network === network),
    byAll: shareOf(() => true),
  };
}

function inOrder(times: readonly TimeRange[]): readonly TimeRange[] {
  return times.toSorted((a, b) => a.start - b.start);
}

/** Warns the artist of unusually many unproven requests. Call it after the request is inserted. */
export async function raiseAlarmIfSuspicious(
  context: Context,
  transaction: Database,
  artist: PublicArtistRow,
  now: Instant,
): Promise<void> {
  if (!context.hasLimitsPerTime) return;
  const since = await limits.findAlarmStart(transaction, artist.id, now);
  const { bookings } = await limits.countOpenUnproven(transaction, artist.id, since);
  if (!isSuspicious(bookings, 0)) return;
  const busiestHour = await limits.countBusiestHour(transaction, artist.id, now);
  if (!isSuspicious(bookings, busiestHour)) return;
  const alarmId = await limits.insertBookingAlarm(transaction, artist.id, since);
  if (alarmId === undefined) return;
  await notify(context, transaction, artist.id, [
    { kind: 'booking_alarm', artist: toAccountSnapshot(artist), alarm: alarmId, bookings },
  ]);
}
