/** The lines of the log about requests. */
import type { Logger } from 'pino';
import type { AnsweredRequest } from '#server/metrics/metrics.ts';
import { type RequestContext, requestFields } from './request_context.ts';

/** How often the number of requests without a line is logged. */
const COUNT_INTERVAL_MS = 60_000;
/** The routes of files, and of the health checks, which load balancers ask every few seconds. */
const QUIET_ROUTE = /^\/(?:healthz|readyz|:file|_astro\/:file|media\/:image\/:file)$/;

/** The reason of a refusal because of the load: counted, because a line would add to the load. */
const OVERLOADED = 'overloaded';

/**
 * Writes one line for each request: its artist, route, status, milliseconds and the reason of a refusal;
 * never its address, because an id in it lets everyone open that appointment. Responses from the
 * cache, files, health checks and requests refused because of the load have a line only at the level
 * `debug`; once a minute they are counted.
 */
export function createRequestLog(parent: Logger) {
  const log = parent.child({ component: 'Request' });
  let quietCount = 0;

  function countQuiet(): void {
    quietCount += 1;
    if (quietCount > 1) return;
    setTimeout(() => {
      log.info(
        { count: quietCount, request_id: undefined, artist_id: undefined },
        'Cached responses, files, health checks and refused overload of the last minute',
      );
      quietCount = 0;
    }, COUNT_INTERVAL_MS).unref();
  }

  return {
    /** Call this once for each request, at the end of its response. */
    write(
      answered: AnsweredRequest,
      request: Pick<RequestContext, 'id' | 'artistId' | 'refusal'>,
    ): void {
      const { method, route, status, seconds } = answered;
      const { refusal } = request;
      const level = chooseLevel(answered, refusal);
      if (level === 'debug') countQuiet();
      if (!log.isLevelEnabled(level)) return;
      log[level](
        {
          ...requestFields(request),
          method,
          route,
          status,
          ms: Math.round(seconds * 10_000) / 10,
          ...(refusal !== undefined && { reason: refusal }),
        },
        'Answered',
      );
    },
  };
}

function chooseLevel(
  { cache, route, status }: AnsweredRequest,
  refusal: string | undefined,
): 'debug' | 'info' | 'warn' {
  if (refusal === OVERLOADED) return 'debug';
  if (status >= 500) return 'warn';
  const isQuiet = cache === 'hit' || cache === 'stale' || QUIET_ROUTE.test(route);
  return isQuiet ? 'debug' : 'info';
}
