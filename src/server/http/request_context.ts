/** Facts about the request that the running code serves. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { CacheOutcome } from '#server/metrics/metrics.ts';

/** Stands for the pattern of a route where none matches. */
export const UNKNOWN_ROUTE = 'unknown';

/** A request in work. Its later fields are set while it is served, for its line in the log. */
export interface RequestContext {
  /** Names the request in the log, in its response and on error pages. */
  readonly id: string;
  /** When it arrived, by `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  /** The pattern of the route, such as `/api/v1/users/artist/:username`: never the path itself. */
  route: string;
  /** The id of its artist: of the page, appointment or studio. */
  artistId?: string;
  /** The client's IP address; unset until it is needed. */
  clientIp?: string;
  /** The outcome in the cache; unset until the cache has sent the response. */
  cache?: CacheOutcome;
  /** Why it was refused (`reasonToLog`). */
  refusal?: string;
  /** The error that failed it, which no client should be able to cause. */
  error?: unknown;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** Returns the request that the calling code serves; undefined in jobs and at the start. */
export function findRequest(): RequestContext | undefined {
  return requests.getStore();
}

/** Notes the error that fails the request which the calling code serves, for the operator. */
export function noteError(error: unknown): void {
  const request = requests.getStore();
  // The first one is the cause of later ones, such as that of the page whose call of the API failed.
  if (request) request.error ??= error;
}

/** Notes the artist of the request that the calling code serves. */
export function noteArtist(artistId: string): void {
  const request = requests.getStore();
  if (request) request.artistId = artistId;
}

/** The fields by which each line of the log names a request. */
export function requestFields({ id, artistId }: Pick<RequestContext, 'id' | 'artistId'>) {
  return { request_id: id, ...(artistId !== undefined && { artist_id: artistId }) };
}

export function createRequestContext(id: string): RequestContext {
  return { id, startedAt: performance.now(), route: UNKNOWN_ROUTE };
}

/** Runs `work`, and all that it starts, as a part of this request. */
export function runInRequest<T>(request: RequestContext, work: () => T): T {
  return requests.run(request, work);
}

/** An id as proxies write them: a UUID, or 32 hexadecimal digits, for example. */
const VALID_ID = /^[\w.:+/=-]{8,128}$/;

/** Differs in each process, so that ids of several servers differ. */
const PREFIX = `${randomBytes(5).toString('hex')}-`;
let lastNumber = 0;

/**
 * Returns the id of a request: the one that a trusted proxy has given it, otherwise a new one. It
 * is not a secret, so a counter is enough.
 * @param given the header `X-Request-Id`, if a trusted proxy has sent it
 */
export function requestIdOf(given: string | undefined): string {
  if (given !== undefined && VALID_ID.test(given)) return given;
  lastNumber += 1;
  return PREFIX + lastNumber.toString(36);
}
