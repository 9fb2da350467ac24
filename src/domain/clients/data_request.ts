/** Requests of clients to their artist for a copy or the erasure of their data. */
import { refuse } from '../refusal.ts';
import { DAY_MS, type Instant } from '../time/time.ts';

export const DATA_REQUEST_KINDS = ['copy', 'erasure'] as const;
/** `copy`: a copy of the data; `erasure`: its deletion, which the artist decides. */
export type DataRequestKind = (typeof DATA_REQUEST_KINDS)[number];

/** A client may ask for the same again this long after they last asked. */
const PAUSE_MS = 30 * DAY_MS;

export interface DataRequest {
  readonly kind: DataRequestKind;
  readonly askedAt: Instant;
  /** Null while it is open. */
  readonly doneAt: Instant | null;
}

/** Whether the client may not ask for the same again at `now`, because a request is open or was made lately. */
export function isCurrent({ askedAt, doneAt }: DataRequest, now: Instant): boolean {
  return doneAt === null || now < askedAt + PAUSE_MS;
}

/**
 * Decides the outcome when a client asks.
 * @param earlier the client's requests so far
 * @returns `already` if the same request is open, so that nothing is to be done
 * @throws Refusal `data_request_too_soon` if the last one was done, and the client asked for it lately
 */
export function decideDataRequest(
  earlier: readonly DataRequest[],
  kind: DataRequestKind,
  now: Instant,
): 'ask' | 'already' {
  const current = earlier.filter((one) => one.kind === kind && isCurrent(one, now));
  if (current.length === 0) return 'ask';
  if (current.some(({ doneAt }) => doneAt === null)) return 'already';
  throw refuse('data_request_too_soon');
}
