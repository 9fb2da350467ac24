/** The front of our server: checks each request, names it, serves it, and logs how it was answered. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { decodePath, isPagePath } from '#domain/requests/page_path.ts';
import { VISITOR_HEADER } from '#domain/requests/visitor_header.ts';
import type { HttpCache, SharedRead } from '#server/cache/http_cache.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import type { AnsweredRequest } from '#server/metrics/metrics.ts';
import type { Context } from '#server/operations/context.ts';
import { createRenderer, isApiPath, type RenderOptions } from './cached_render.ts';
import { createFileHandler, type FileOptions, isRead } from './files.ts';
import { getClientIp, isFromTrustedProxy, type TrustedProxies } from './ip_address.ts';
import type { CountedRequest, LoadShedding } from './load_shedding.ts';
import { failureAnswer, sendText, sendUnavailable } from './plain_answers.ts';
import {
  createRequestContext,
  findRequest,
  noteError,
  type RequestContext,
  requestIdOf,
  runInRequest,
} from './request_context.ts';
import { createRequestLog } from './request_log.ts';

/** The methods that pages and files allow; the API checks methods itself. */
const SITE_METHODS = ['GET', 'HEAD', 'POST'];
/** One year. Other hosts of the operator's domain are not ours, so they are not included. */
const HSTS = 'max-age=31536000';
/** Created once: the stack of a new error would be a large part of the cost of a refusal. */
const TOO_MANY = new Error('more requests arrive than can be served');
/** The status of a request whose client was gone before the end of the response, as nginx logs it. */
const CLIENT_GONE_STATUS = 499;
const UNSIGNED_VISITOR = new Error(
  `${VISITOR_HEADER} is not signed with the VISITOR_KEY of this API`,
);

export interface HttpHandlerOptions extends RenderOptions, FileOptions {
  readonly cache: HttpCache;
  readonly trustedProxies: TrustedProxies;
  /** Signs the addresses of visitors of a site on another host. */
  readonly visitorKey?: string | undefined;
  /** Whether browsers may only use HTTPS from now on (HSTS). */
  readonly isHttpsOnly: boolean;
  /** Called once for each request, when its response has ended. */
  readonly onRequestEnd?: ((request: AnsweredRequest) => void) | undefined;
  readonly loadShedding: LoadShedding;
  /** Records the error of a request whose answer has a status from 500. */
  readonly recordError?: Context['recordError'] | undefined;
}

/** The part of a request that is known before its body; also of an HTTP/2 request. */
type ArrivingRequest = CountedRequest & Pick<IncomingMessage, 'headers' | 'socket'>;

/** A request after its checks: the headers for every response, its fault, and how it is rendered. */
interface CheckedRequest {
  /** For its response; names and values alternate. */
  readonly headers: readonly string[];
  readonly fault: string | undefined;
  /** Undefined for a request with a fault, for writes and for private calls of the API. */
  readonly read: SharedRead | undefined;
}

/** For a request, tries in this order: cached response, API, file, page to render. */
export function createHttpHandler(options: HttpHandlerOptions): RequestListener {
  const { app, site, cache, trustedProxies, log } = options;
  const requestLog = createRequestLog(log);
  const serveFile = createFileHandler(options);
  const gate = createGate(options);
  const { clientIpOf, isTooMuch, track } = gate;
  const { findRead, renderSite } = createRenderer(options, gate);
  const handleCall = getRequestListener((request, { incoming }) => {
    const isOverloaded = isTooMuch(incoming);
    const bindings = { clientIp: clientIpOf(incoming), record: findRequest(), isOverloaded };
    return track(incoming, Promise.resolve(app.fetch(request, bindings)));
  });
  const handleForm = getRequestListener(
    (request, { incoming }) => track(incoming, renderSite(request, clientIpOf(incoming))),
    {
      errorHandler(error) {
        logFailure(error, log);
        const { text, ...init } = failureAnswer(error);
        return new Response(text, init);
      },
    },
  );

  return (request, response) => {
    const given = request.headers['x-request-id'];
    const id = requestIdOf(
      typeof given === 'string' && isFromTrustedProxy(request, trustedProxies) ? given : undefined,
    );
    const context = createRequestContext(id);
    /** The headers of every response; names and values alternate. */
    const headers = ['X-Request-Id', id];
    if (options.isHttpsOnly) headers.push('Strict-Transport-Security', HSTS);
    const fault = findFault(request);
    const read = fault === undefined && isRead(request) ? findRead(request) : undefined;
    // Most responses come from memory. No code asks for their context, and entering it takes time.
    if (!read || !cache.serveFresh(response, read, context, headers))
      runInRequest(context, () => serve(response, context, { headers, fault, read }));
    // It is complete already, so no listener is needed.
    if (response.writableEnded) {
      reportEnd(request, context, response.statusCode);
      return;
    }
    // Emitted once, after the last byte, or when the connection is lost before.
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE_STATUS;
      reportEnd(request, context, status);
    });
  };

  function serve(
    response: ServerResponse,
    context: RequestContext,
    { headers, fault, read }: CheckedRequest,
  ): void {
    if (read && cache.serveStale(response, read, context, headers)) return;
    setHeaders(response, headers);
    if (fault !== undefined) sendText(response, 400, fault);
    else
      answer(response, read, context).catch((error: unknown) => {
        logFailure(error, log);
        const failure = failureAnswer(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(failure.status, failure.headers).end(failure.text);
      });
  }

  /** Answers a request that the cache has no response for. */
  async function answer(
    response: ServerResponse,
    read: SharedRead | undefined,
    context: RequestContext,
  ): Promise<void> {
    const { req: request } = response;
    const { url = '/' } = request;
    const render = (shared: SharedRead) =>
      track(request, cache.renderAndSend(response, shared, context));
    if (isApiPath(url)) return read ? render(read) : handleCall(request, response);
    const spelling = read ? toOneSpelling(url) : url;
    if (spelling !== url) {
      response.writeHead(308, { Location: spelling, 'Cache-Control': 'no-store' }).end();
      return;
    }
    if (!SITE_METHODS.includes(request.method ?? '')) {
      response.setHeader('Allow', SITE_METHODS.join(', '));
      return sendText(response, 405, 'Method not allowed');
    }
    const [path = '/'] = url.split('?');
    if (!isPagePath(path)) return sendText(response, 400, 'No such address');
    if (await serveFile(response, path, context)) return;
    if (!site) return sendText(response, 404, 'Not found');
    if (isTooMuch(request)) {
      context.refusal = 'overloaded';
      return sendUnavailable(response, 'overloaded');
    }
    // A form, which is posted, is never cached.
    return read ? render(read) : handleForm(request, response);
  }

  function reportEnd(
    { method = '' }: IncomingMessage,
    context: RequestContext,
    status: number,
  ): void {
    const { id, route, cache, startedAt, error } = context;
    const seconds = (performance.now() - startedAt) / 1000;
    const answered = { route, method, status, seconds, cache };
    requestLog.write(answered, context);
    options.onRequestEnd?.(answered);
    if (status >= 500 && error !== undefined)
      options.recordError?.(error, { requestId: id, route: `${method} ${route}`, status });
  }
}

/** Finds the client's address of a request, and whether the request is one too many. */
function createGate({ trustedProxies, visitorKey, loadShedding, log }: HttpHandlerOptions) {
  /** Reads the address only once for a request, and never for a request that the cache answers. */
  function clientIpOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    const context = findRequest();
    const clientIp =
      context?.clientIp ??
      getClientIp(request, trustedProxies, visitorKey, () =>
        log.warn(
          { component: 'Server', err: UNSIGNED_VISITOR },
          'A site on another host has another VISITOR_KEY, or somebody pretends to be that site: limits count it as one client',
        ),
      );
    if (context) context.clientIp = clientIp;
    return clientIp;
  }

  return {
    clientIpOf,
    /** Whether a request must be refused, because more arrive than our process can serve. */
    isTooMuch(request: ArrivingRequest): boolean {
      const result = loadShedding.isTooMuch(request, clientIpOf(request));
      if (result)
        log.error({ component: 'Server', err: TOO_MANY }, 'Requests are refused (answered 503)');
      return result;
    },
    /** Counts a request in work until `work` has ended. Returns `work`. */
    track: <T>(request: ArrivingRequest, work: Promise<T>) =>
      loadShedding.track(request, clientIpOf(request), work),
  };
}

function logFailure(error: unknown, log: Logger): void {
  noteError(error);
  // An outage is one line for all pages; each bug has its own (`limitRepeats`).
  const route = isDatabaseUnavailable(error) ? undefined : findRequest()?.route;
  log.error(
    { component: 'Server', ...(route !== undefined && { route }), err: error },
    'Answering a request failed',
  );
}

/**
 * Finds a fault in the host or the address of a request. Also sets a missing host, and shortens the address
 * to path and query, as the rest of our server reads them.
 * @returns the text of the answer; undefined for a request without a fault
 */
function findFault(request: IncomingMessage): string | undefined {
  // HTTP/1.0, which some health checks use, sends no host.
  request.headers.host ??= 'localhost';
  if (!isValidHost(request.headers.host) || hasTwoHosts(request)) return 'No such host';
  const url = toPathAndQuery(request.url ?? '/');
  if (!isValidPath(url)) return 'No such address';
  request.url = url;
  return undefined;
}

/**
 * Not for a response from the cache: after `setHeader`, Node's `writeHead` sets all headers again
 * one by one.
 * @param headers names and values alternate
 */
function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (const [index, name] of headers.entries())
    if (index % 2 === 0) response.setHeader(name, headers[index + 1] ?? '');
}

/** Whether a request names two hosts: Node takes the first, a proxy perhaps the last (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate. The length is compared first, because that is faster.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** Most requests name the same host, so it is checked once. */
let lastValidHost: string | undefined;

function isValidHost(host: string): boolean {
  if (host === lastValidHost) return true;
  const isValid = host !== '' && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}/`);
  if (isValid) lastValidHost = host;
  return isValid;
}

/** @param target of a request line; proxies may send a whole URL (RFC 9112, 3.2.2) */
function toPathAndQuery(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Only a path that begins with two slashes can be invalid: `URL` reads a host after them. */
function isValidPath(pathAndQuery: string): boolean {
  if (/^\/(?:[\w?]|$)/.test(pathAndQuery)) return true;
  return pathAndQuery.startsWith('/') && URL.canParse(pathAndQuery, 'http://localhost');
}

/**
 * A page address without needless percent-encoding, such as `/ana` for `/%61na`: another spelling
 * would be rendered past the cache. A path with two slashes stays: browsers would read a host there.
 */
function toOneSpelling(pathAndQuery: string): string {
  const [path = '', ...query] = pathAndQuery.split('?');
  if (!path.includes('%') || /^\/[/\\]/.test(path)) return pathAndQuery;
  // A malformed path: it is answered with 400.
  if (decodePath(path) === undefined) return pathAndQuery;
  const spelled = path.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return [spelled, ...query].join('?');
}
