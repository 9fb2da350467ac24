/** Refuses requests beyond what our process can serve, before their number uses up memory or time. */
import type { IncomingHttpHeaders } from 'node:http';

/** So many requests may be in work at once: a burst, such as the clients of a new flash sheet. */
export const MAX_REQUESTS = 1000;
/** More than this for longer than `MAX_LOAD_MS` is no burst: more arrive than can be served. */
export const STANDING_REQUESTS = 200;
const MAX_LOAD_MS = 5000;

/** The part of Node's requests that is used here. */
interface ArrivingRequest {
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
  let count = 0;
  /** When `count` became larger than `STANDING_REQUESTS`; undefined while it is not. */
  let busySince: number | undefined;

  function change(difference: 1 | -1): void {
    count += difference;
    if (count <= STANDING_REQUESTS) busySince = undefined;
    else busySince ??= clock();
  }

  return {
    isOverloaded() {
      if (count >= MAX_REQUESTS) return true;
      return busySince !== undefined && clock() - busySince > MAX_LOAD_MS;
    },
    track(request, work) {
      let hasEnded = false;
      let isCounted = false;
      const begin = () => {
        if (hasEnded || isCounted) return;
        isCounted = true;
        change(1);
      };
      const end = () => {
        hasEnded = true;
        if (isCounted) change(-1);
      };
      // A client who sends slowly must not count: a few hundred of them would shut out all others.
      if (hasBody(request)) request.once('end', begin);
      else begin();
      work.then(end, end);
      return work;
    },
  };
}

function hasBody({ headers }: ArrivingRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
