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

/** The part of Node's requests that is used here. */
interface ArrivingRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: object;
  once(event: 'end', listener: () => void): unknown;
}

export interface LoadShedding {
  /** Whether a request must be refused that causes work; answers from memory cause none. */
  isTooMuch(request: ArrivingRequest, clientIp: string): boolean;
  /** Whether jobs must let requests go first. */
  isBusy(): boolean;
  /**
   * Counts a request until its work ends: until its response is known, not until it is sent.
   * @returns `work`
   */
  track<T>(request: ArrivingRequest, clientIp: string, work: Promise<T>): Promise<T>;
}

/**
 * @param limitsNetworks false if all clients may have one address, as in load tests
 * @param clock returns milliseconds, as `performance.now` does
 */
export function createLoadShedding(
  limitsNetworks: boolean,
  clock = () => performance.now(),
): LoadShedding {
  const inWork = new Map<string | object, number>();
  /** The requests in work that have arrived whole, the oldest first; `since` is when they had. */
  const arrived = new Set<{ readonly since: number }>();

  /** The keys that count a request: the server, its connection and its networks. */
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
    const latest = clock() - MAX_WORK_MS;
    let late = 0;
    for (const { since } of arrived) {
      if (since >= latest) return false;
      late += 1;
      if (late === LATE_REQUESTS) return true;
    }
    return false;
  }

  return {
    isTooMuch({ socket }, clientIp) {
      const [ofAll = 0, ofConnection = 0, ofNetwork = 0, ofWider = 0] = keysOf(
        socket,
        clientIp,
      ).map((key) => (inWork.get(key) ?? 0) + 1);
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
      // A client who sends slowly is not late because of us.
      if (hasBody(request)) request.once('end', begin);
      else begin();
      work.then(end, end);
      return work;
    },
  };
}

/** Whether somebody waits for the end of a body. Nobody reads that of a GET. */
function hasBody({ method, headers }: ArrivingRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
