/** Refuses requests that exceed the capacity of our process, before they use up memory or time. */
import type { IncomingHttpHeaders } from 'node:http';
import { firstExceeded, LOAD_LIMITS } from '#domain/requests/limits.ts';
import { widerNetwork } from '#domain/requests/network.ts';
import { toNetwork } from './ip_address.ts';

/** While this many have been in work for longer than `MAX_WORK_MS`, more arrive than can be served. */
export const LATE_REQUESTS = 100;
/** While more requests than this have arrived and wait for us, jobs let them go first. */
export const BUSY_REQUESTS = 5;
/** The longest wait of a request for a connection, or for the calendar of an artist. */
const MAX_WORK_MS = 10_000;

/** The part of Node's requests, HTTP/1 or HTTP/2, that is used here. */
export interface CountedRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: object;
  once(event: 'end', listener: () => void): unknown;
}

/** Counts the requests in work, and says when more arrive than our process can serve. */
export interface LoadShedding {
  /** Whether a request must be refused that causes work; answers from memory cause none. */
  isTooMuch(request: CountedRequest, clientIp: string): boolean;
  /** Whether jobs must let requests go first. */
  isBusy(): boolean;
  /**
   * Counts a request until its work ends: until its response is known, not until it is sent.
   * @returns `work`
   */
  track<T>(request: CountedRequest, clientIp: string, work: Promise<T>): Promise<T>;
}

/**
 * @param limitsNetworks false if all clients may have one address, as in load tests
 * @param clock returns milliseconds, as `performance.now` does
 */
export function createLoadShedding(
  limitsNetworks: boolean,
  clock = () => performance.now(),
): LoadShedding {
  /** How many requests are in work, by the keys that `keysOf` returns. */
  const inWork = new Map<string | object, number>();
  /** The requests in work that have arrived whole, the oldest first; `since` is when they had. */
  const arrived = new Set<{ readonly since: number }>();

  /** What a request is counted for: the whole server, its connection, its network and the wider network. */
  function keysOf(socket: object, clientIp: string): readonly (string | object)[] {
    if (!limitsNetworks) return ['all', socket];
    const network = toNetwork(clientIp);
    const wider = widerNetwork(network);
    return wider === null ? ['all', socket, network] : ['all', socket, network, wider];
  }

  function countFor(key: string | object, difference: 1 | -1): void {
    const changed = (inWork.get(key) ?? 0) + difference;
    if (changed === 0) inWork.delete(key);
    else inWork.set(key, changed);
  }

  function hasManyLate(): boolean {
    if (arrived.size < LATE_REQUESTS) return false;
    const lateBefore = clock() - MAX_WORK_MS;
    let lateCount = 0;
    for (const { since } of arrived) {
      // The oldest come first, so the others are not late either.
      if (since >= lateBefore) return false;
      lateCount += 1;
      if (lateCount === LATE_REQUESTS) return true;
    }
    return false;
  }

  return {
    isTooMuch({ socket }, clientIp) {
      // With this request, in the order of the keys.
      const counted = keysOf(socket, clientIp).map((key) => (inWork.get(key) ?? 0) + 1);
      const [ofAll = 0, ofConnection = 0, ofNetwork = 0, ofWider = 0] = counted;
      const counts = { ofAll, ofConnection, ofNetwork, ofWider };
      return hasManyLate() || firstExceeded(LOAD_LIMITS, counts) !== undefined;
    },
    isBusy: () => arrived.size > BUSY_REQUESTS,
    track(request, clientIp, work) {
      const keys = keysOf(request.socket, clientIp);
      for (const key of keys) countFor(key, 1);
      let hasEnded = false;
      let entry: { readonly since: number } | undefined;
      const begin = () => {
        if (hasEnded) return;
        entry = { since: clock() };
        arrived.add(entry);
      };
      const end = () => {
        hasEnded = true;
        if (entry) arrived.delete(entry);
        for (const key of keys) countFor(key, -1);
      };
      // The time starts with the end of the body: a client who sends slowly is not late because of us.
      if (hasBody(request)) request.once('end', begin);
      else begin();
      work.then(end, end);
      return work;
    },
  };
}

/** Whether we wait for the end of a body: we do not read the body of a GET. */
function hasBody({ method, headers }: CountedRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
