/** The lines of the log about requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { RequestContext } from './request_context.ts';

/** How often the number of requests without a line is logged. */
const COUNT_INTERVAL_MS = 60_000;
/** Load balancers ask these every few seconds. */
const HEALTH_ROUTES = new Set(['/healthz', '/readyz']);

/**
 * Writes one line for each request: its route, status, milliseconds and the reason of a refusal;
 * never its address, because an id in it lets everyone open that appointment. Responses from the
 * cache, files and health checks have a line only at the level `debug`; once a minute they are counted.
 */
export function createRequestLog(parent: Logger) {
  const log = parent.child({ component: 'Request' });
  let quietCount = 0;

  function countQuiet(): void {
    quietCount += 1;
    if (quietCount > 1) return;
    setTimeout(() => {
      log.info({ count: quietCount, request_id: undefined }, 'Answered from the cache or a file');
      quietCount = 0;
    }, COUNT_INTERVAL_MS).unref();
  }

  function write(
    { method }: IncomingMessage,
    response: ServerResponse,
    { id, route, source, refusal, startedAt }: RequestContext,
  ): void {
    const { statusCode: status } = response;
    const isQuiet = source !== undefined || HEALTH_ROUTES.has(route ?? '');
    const level = status >= 500 ? 'warn' : isQuiet ? 'debug' : 'info';
    if (level === 'debug') countQuiet();
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        request_id: id,
        method,
        route: route ?? source ?? 'unknown',
        status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(refusal !== undefined && { reason: refusal }),
        ...(!response.writableFinished && { aborted: true }),
      },
      'Answered',
    );
  }

  return {
    /** Call this when the request was given to its handler. */
    add(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
      // A response from memory is complete already.
      if (response.writableEnded) write(request, response, context);
      else response.once('close', () => write(request, response, context));
    },
  };
}
