/** Refuses requests beyond what our process can serve, before their number uses up memory or time. */
import type { IncomingHttpHeaders } from 'node:http';

/** So many requests may be in work at once: a burst, such as the clients of a new flash sheet. */
export const MAX_REQUESTS = 2000;
/** While so many have been in work for longer than `MAX_WORK_MS`, more arrive than can be served. */
export const LATE_REQUESTS = 100;
/** As long as a request waits at most for a connection, or for the calendar of an artist. */
const MAX_WORK_MS = 10_000;

/** The part of Node's requests that is used here. */
interface ArrivingRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  once(event: 'end', listener: () => void): unknown;
}

export interface LoadShedding {
  /** Whether a request must be refused that causes work; answers from memory cause none. */
  isOverloaded(): boolean;
  /**
   * Counts a request until its work ends: until its response is known, not until it is sent.
   * @returns `work`
   */
  track<T>(request: ArrivingRequest, work: Promise<T>): Promise<T>;
}

/** @param clock returns milliseconds, as `performance.now` does */
export function createLoadShedding(clock = () => performance.now()): LoadShedding {
  /** When each request in work began, the longest ago first. */
  const inWork = new Set<{ readonly since: number }>();

  function hasManyLate(): boolean {
    if (inWork.size < LATE_REQUESTS) return false;
    const latest = clock() - MAX_WORK_MS;
    let count = 0;
    for (const { since } of inWork) {
      if (since >= latest) return false;
      count += 1;
      if (count === LATE_REQUESTS) return true;
    }
    return false;
  }

  return {
    isOverloaded: () => inWork.size >= MAX_REQUESTS || hasManyLate(),
    track(request, work) {
      let hasEnded = false;
      let entry: { readonly since: number } | undefined;
      const begin = () => {
        if (hasEnded) return;
        entry = { since: clock() };
        inWork.add(entry);
      };
      const end = () => {
        hasEnded = true;
        if (entry) inWork.delete(entry);
      };
      // A client who sends slowly must not count: a few hundred of them would shut out all others.
      if (mayBeRead(request)) request.once('end', begin);
      else begin();
      work.then(end, end);
      return work;
    },
  };
}

/** Whether the request has a body. Nobody reads that of a GET, so that it never ends. */
function mayBeRead({ method, headers }: ArrivingRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
