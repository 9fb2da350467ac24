import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { decodePath, isPagePath } from '#domain/page_path.ts';
import { toUsername } from '#domain/typed_username.ts';
import { isReservedUsername, USERNAME_PATTERN } from '#domain/username.ts';
import { VISITOR_HEADER } from '#domain/visitor_header.ts';
import { RETRY_AFTER_SECONDS, refusalAnswer } from './api/error_answers.ts';
import { cachedQueryParameters, isCachedPicture } from './api/routes.ts';
import type { App, ConnectDirectly } from './app.ts';
import { type CacheKey, cacheKey } from './cache/cache_key.ts';
import {
  COMPRESSIONS,
  type EncodedResponse,
  encodeResponse,
  type RenderedResponse,
} from './cache/encoded_response.ts';
import type { HttpCache, Render, ResponseRecord } from './cache/http_cache.ts';
import { sendResponse } from './cache/send_response.ts';
import { isDatabaseUnavailable } from './database/connect.ts';
import { getClientIp, isFromTrustedProxy, type TrustedProxies } from './ip_address.ts';
import type { LoadShedding } from './load_shedding.ts';
import { createMediaHandler } from './media_files.ts';
import type { AnsweredRequest } from './metrics/metrics.ts';
import type { Context } from './operations/context.ts';
import {
  createRequestContext,
  findRequest,
  noteError,
  type RequestContext,
  requestIdOf,
  runInRequest,
  UNKNOWN_ROUTE,
} from './request_context.ts';
import { createRequestLog } from './request_log.ts';
import { ASSETS_PATH, type BuiltSite, toAssetResponse } from './site.ts';

/** The paths that `app` serves. */
const API_PATH = /^\/(?:api|healthz|readyz)(?:[/?]|$)/;
/** The methods that pages and files allow; the API checks methods itself. */
const SITE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const ASSET_NAME = /^[\w.-]{1,128}$/;
/** The size of the memory cache for the scripts and styles of older and newer builds. */
const OTHER_BUILDS_BYTES = 8 * 1024 * 1024;
/** A path of a share card or of a picture for mails, perhaps with percent-encoding. */
const PICTURE_PATH = /share-image|mail-picture|%/i;
/** The pages that are cached with query parameters. */
const SCHEDULING_PATH = /^\/[^/]+\/scheduling$/;
const SCHEDULING_PARAMETERS = ['service', 'design'];
const DESIGNS_PATH = /^\/([^/]+)$/;
const DESIGNS_PARAMETERS = ['placement', 'size', 'free'];
const EXPLORE_PATH = '/explore';
const EXPLORE_PARAMETERS = ['city', 'style', 'after', 'closed_after'];
/** One year. Other hosts of the operator's domain are not ours, so they are not included. */
const HSTS = 'max-age=31536000';
/** The page of an appointment: only for its client, never shared, and in the conventions of their locale. */
const CLIENT_PAGE = /^\/[^/]+\/confirmation\//;
/** One for all: a stack would be a large part of the cost of a refusal. */
const TOO_MANY = new Error('more requests arrive than can be served');
const FAILURE_TEXT = 'Something went wrong.';
/** Stand for the patterns of files, which have no routes. */
const ASSET_ROUTE = `${ASSETS_PATH}:file`;
const FILE_ROUTE = '/:file';
const MEDIA_ROUTE = '/media/:image/:file';
/** The status of a request whose client was gone before the end of the response, as nginx logs it. */
const CLIENT_GONE_STATUS = 499;

/** Headers of the answer while the database is down, or while our process is overloaded. */
const UNAVAILABLE_HEADERS = {
  'Content-Type': 'text/plain',
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_AFTER_SECONDS),
};

const UNSIGNED_VISITOR = new Error(
  `${VISITOR_HEADER} is not signed with the VISITOR_KEY of this API`,
);

export interface HttpHandlerOptions {
  /** Serves the API and the health checks. */
  readonly app: App;
  /** Connects the pages to the API. */
  readonly connectDirectly: ConnectDirectly;
  readonly imageFolder: string;
  /** The pages; undefined serves no pages. */
  readonly site: BuiltSite | undefined;
  /** Reads a script or style of another build of the site, such as an older one, by its name. */
  readonly findAsset: (name: string) => Promise<Buffer | undefined>;
  readonly cache: HttpCache;
  /** Origins whose scripts may read API responses (CORS). */
  readonly allowedOrigins: readonly string[];
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
  readonly log: Logger;
}

type ServeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => void;

/** For a request, tries in this order: API, cached page, image, file of a build, page to render. */
export function createHttpHandler({
  app,
  connectDirectly,
  imageFolder,
  site,
  findAsset,
  cache,
  allowedOrigins,
  trustedProxies,
  visitorKey,
  isHttpsOnly,
  onRequestEnd,
  loadShedding,
  recordError,
  log,
}: HttpHandlerOptions): RequestListener {
  const clientIpOf = (request: Parameters<typeof getClientIp>[0]) =>
    getClientIp(request, trustedProxies, visitorKey, () =>
      log.warn(
        { component: 'Server', err: UNSIGNED_VISITOR },
        'A site on another host has another VISITOR_KEY, or somebody pretends to be that site: limits count it as one client',
      ),
    );
  const handleApiRequest = getRequestListener((request, { incoming }) => {
    const clientIp = clientIpOf(incoming);
    const isOverloaded = isTooMuch(incoming, clientIp);
    const options = { clientIp, record: findRequest(), isOverloaded };
    return loadShedding.track(incoming, clientIp, Promise.resolve(app.fetch(request, options)));
  });
  const siteOrigin = site && new URL(site.settings.siteUrl).origin;
  const handleForm = getRequestListener(
    (request, { incoming }) => {
      const clientIp = clientIpOf(incoming);
      const work = renderSite(request, clientIp, findRequest() ?? createRecord());
      return loadShedding.track(incoming, clientIp, work);
    },
    {
      errorHandler(error) {
        logFailure(error);
        if (isDatabaseUnavailable(error))
          return new Response(failureText(refusalAnswer('unavailable').detail), {
            status: 503,
            headers: UNAVAILABLE_HEADERS,
          });
        const headers = { 'Cache-Control': 'no-store' };
        return new Response(failureText(FAILURE_TEXT), { status: 500, headers });
      },
    },
  );
  const requestLog = createRequestLog(log);
  /** The headers of every response; names and values alternate. */
  const headersOf = ({ id }: RequestContext): readonly string[] =>
    isHttpsOnly ? ['X-Request-Id', id, 'Strict-Transport-Security', HSTS] : ['X-Request-Id', id];
  const sendImage = createMediaHandler(imageFolder, log);
  const otherBuildFiles = new LRUCache<string, EncodedResponse>({
    maxSize: OTHER_BUILDS_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    // With this option, a file that does not fit into this cache is still returned.
    ignoreFetchAbort: true,
    fetchMethod: async (name) => {
      const bytes = await findAsset(name);
      return bytes && encodeResponse(toAssetResponse(name, bytes), COMPRESSIONS);
    },
  });
  // The query parameters with which a response of this path may be cached. `cacheKey` passes a path
  // without a slash at its end, not decoded: `/api/v1/%75sers` matches no API route here.
  const knownParameters = (path: string) => cachedQueryParameters(path) ?? pageParameters(path);
  /** Most requests name the same host, so it is checked once. */
  let lastHost: string | undefined;

  const serve: ServeRequest = (request, response, context) => {
    const headers = headersOf(context);
    // HTTP/1.0, which some health checks use, sends no host.
    request.headers.host ??= 'localhost';
    const { host } = request.headers;
    if ((host !== lastHost && !isValidHost(host)) || hasTwoHosts(request)) {
      setHeaders(response, headers);
      return sendText(response, 400, 'No such host');
    }
    lastHost = host;
    const url = toPathAndQuery(request.url ?? '/');
    if (!isValidPath(url)) {
      setHeaders(response, headers);
      return sendText(response, 400, 'No such address');
    }
    request.url = url;
    // Undefined if no cache may store the response. Its `address` is `url` without parameters that
    // change no response, such as `utm_source`; the other parameters are sorted.
    const isShared = isRead(request) && !CLIENT_PAGE.test(url);
    const isOfApi = API_PATH.test(url);
    const cacheable = isShared
      ? (cacheKey(url, request.headers, knownParameters) ??
        (isOfApi ? toPictureKey(url) : undefined))
      : undefined;
    if (isOfApi) return serveApi(request, response, cacheable, context);
    const spelling = isRead(request) ? toOneSpelling(url) : url;
    if (spelling !== url) {
      setHeaders(response, headers);
      response.writeHead(308, { Location: spelling, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const render = () => renderPage(request, cacheable?.address ?? url);
    // Sends a stored response, if there is one; `render` replaces a stale one in the background.
    const sent = { context, headers };
    if (cacheable && cache.serveCached(request, response, cacheable.key, render, sent)) return;
    setHeaders(response, headers);
    if (!SITE_METHODS.has(request.method ?? '')) {
      response.setHeader('Allow', [...SITE_METHODS].join(', '));
      return sendText(response, 405, 'Method not allowed');
    }
    const [path = '/'] = url.split('?');
    if (!isPagePath(path)) return sendText(response, 400, 'No such address');
    if (path.startsWith('/media/')) {
      context.route = MEDIA_ROUTE;
      return catchErrors(response, () => serveImage(request, response, path));
    }
    if (!site) return sendText(response, 404, 'Not found');
    const file = isRead(request) ? site.files.get(path) : undefined;
    if (file) {
      context.route = path.startsWith(ASSETS_PATH) ? ASSET_ROUTE : FILE_ROUTE;
      return sendResponse(request, response, file);
    }
    if (path.startsWith(ASSETS_PATH)) {
      context.route = ASSET_ROUTE;
      return catchErrors(response, () =>
        serveOtherBuild(request, response, path.slice(ASSETS_PATH.length)),
      );
    }
    const clientIp = clientIpOf(request);
    if (isTooMuch(request, clientIp)) {
      context.refusal = 'overloaded';
      return sendUnavailable(response, refusalAnswer('overloaded'));
    }
    if (isRead(request))
      return catchErrors(response, () =>
        loadShedding.track(
          request,
          clientIp,
          cache.renderAndSend(request, response, cacheable?.key, render, context),
        ),
      );
    // A POST of a form, which is never cached.
    catchErrors(response, () => handleForm(request, response));
  };

  return (request, response) => {
    const given = request.headers['x-request-id'];
    const id = requestIdOf(
      typeof given === 'string' && isFromTrustedProxy(request, trustedProxies) ? given : undefined,
    );
    const context = createRequestContext(id);
    runInRequest(context, () => serve(request, response, context));
    // From memory, as most responses: no listener is needed.
    if (response.writableEnded) reportEnd(request, context, response.statusCode);
    // Emitted once, after the last byte, or when the connection is lost before.
    else
      response.once('close', () =>
        reportEnd(
          request,
          context,
          response.writableFinished ? response.statusCode : CLIENT_GONE_STATUS,
        ),
      );
  };

  function reportEnd(request: IncomingMessage, context: RequestContext, status: number): void {
    const answered = toAnsweredRequest(request, context, status);
    requestLog.write(answered, context);
    onRequestEnd?.(answered);
    if (status >= 500 && context.error !== undefined)
      recordError?.(context.error, {
        requestId: context.id,
        route: `${answered.method} ${answered.route}`,
        status,
      });
  }

  async function serveImage(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    const result = await sendImage(request, response, path);
    if (result === 'not_found') sendText(response, 404, 'Not found');
    if (result === 'unavailable') sendUnavailable(response);
  }

  /**
   * Serves a script or style of another build: an older one for a page that is open in a browser,
   * or a newer one for a page of another server that is upgraded already.
   */
  async function serveOtherBuild(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
  ): Promise<void> {
    const file =
      isRead(request) && ASSET_NAME.test(name) ? await otherBuildFiles.fetch(name) : undefined;
    if (file) sendResponse(request, response, file);
    else sendText(response, 404, 'Not found');
  }

  /** Answers with 500 or 503 when the work fails, so that no request waits for ever. */
  function catchErrors(response: ServerResponse, work: () => void | Promise<void>): void {
    // `async` turns an error that `work` throws synchronously into a rejection.
    const run = async () => work();
    run().catch((error: unknown) => {
      logFailure(error);
      if (response.headersSent) response.destroy();
      else if (isDatabaseUnavailable(error)) sendUnavailable(response);
      else sendText(response, 500, failureText(FAILURE_TEXT));
    });
  }

  function logFailure(error: unknown): void {
    noteError(error);
    // An outage is one line for all pages; each bug has its own (`limitRepeats`).
    const route = isDatabaseUnavailable(error) ? undefined : findRequest()?.route;
    log.error(
      { component: 'Server', ...(route !== undefined && { route }), err: error },
      'Answering a request failed',
    );
  }

  function serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    cacheable: CacheKey | undefined,
    context: RequestContext,
  ): void {
    const { url = '/' } = request;
    const { authorization, origin: askedOrigin } = request.headers;
    const [path = '/'] = (cacheable?.address ?? url).split('?');
    // `cachedQueryParameters` returns a list, perhaps empty, for a cached route; else undefined.
    const isPublicRead =
      isRead(request) &&
      (cacheable !== undefined || authorization === undefined) &&
      cachedQueryParameters(toRoutePath(path)) !== undefined;
    const headers = headersOf(context);
    if (!isPublicRead) {
      setHeaders(response, headers);
      catchErrors(response, () => handleApiRequest(request, response));
      return;
    }
    // A response names the origin that may read it (CORS), so each origin has its own cache entry.
    const origin = allowedOrigins.find((allowed) => allowed === askedOrigin);
    const key = cacheable && [cacheable.key, ...(origin ? [origin] : [])].join(' ');
    // Passes on no header but `Origin`, so that every client of this origin may get the response.
    const clientIp = clientIpOf(request);
    const render: Render = async () => {
      const apiRequest = new Request(`http://localhost${cacheable?.address ?? url}`, {
        headers: origin ? { Origin: origin } : {},
      });
      const apiRecord = createRecord();
      const isOverloaded = isTooMuch(request, clientIp);
      const options = { clientIp, record: apiRecord, isOverloaded };
      return toRendered(await app.fetch(apiRequest, options), apiRecord);
    };
    const sent = { context, headers };
    if (key !== undefined && cache.serveCached(request, response, key, render, sent)) return;
    setHeaders(response, headers);
    const work = () => cache.renderAndSend(request, response, key, render, context);
    catchErrors(response, () => loadShedding.track(request, clientIp, work()));
  }

  /** Whether a request must be refused, because more arrive than our process can serve. */
  function isTooMuch(request: Parameters<LoadShedding['isTooMuch']>[0], clientIp: string): boolean {
    const result = loadShedding.isTooMuch(request, clientIp);
    if (result)
      log.error({ component: 'Server', err: TOO_MANY }, 'Requests are refused (answered 503)');
    return result;
  }

  /**
   * Renders a page without the client's headers, so that every client may get the response. Only the
   * client's page, which nobody shares, gets their language.
   */
  async function renderPage(request: IncomingMessage, url: string): Promise<RenderedResponse> {
    const language = CLIENT_PAGE.test(url) ? request.headers['accept-language'] : undefined;
    const headers = language === undefined ? {} : { 'Accept-Language': language };
    const pageRequest = new Request(siteOrigin + url, { headers });
    const record = createRecord();
    try {
      return await toRendered(await renderSite(pageRequest, clientIpOf(request), record), record);
    } catch (error) {
      // No response tells the route.
      const failed = findRequest();
      if (failed) failed.route = record.route;
      throw error;
    }
  }

  /** Notes and logs the error of a page. If a call of the API has caused it, that call is in the log. */
  function notePageError(error: unknown, route: string): void {
    const noted = findRequest()?.error;
    const isOfCall = noted !== undefined && error instanceof Error && error.name === 'ApiError';
    const isLogged = error === noted || isOfCall || isDatabaseUnavailable(error);
    noteError(error);
    if (!isLogged)
      log.error({ component: 'Site', route, err: error }, 'A page failed (answered 500)');
  }

  /** @param clientIp for the rate limits of the API */
  function renderSite(
    request: Request,
    clientIp: string,
    record: ResponseRecord,
  ): Promise<Response> {
    if (!site) throw new Error('There are no pages without a site');
    return site.render(request, {
      settings: site.settings,
      onRoute(pattern) {
        // A page that fails is followed by the one that says so.
        if (record.route === UNKNOWN_ROUTE) record.route = pattern;
      },
      onError: (error) => notePageError(error, record.route),
      connectDirectly: (onAnswer) => connectDirectly({ clientIp, onAnswer }),
      requestId: findRequest()?.id,
    });
  }
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

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function createRecord(): ResponseRecord {
  return { route: UNKNOWN_ROUTE, cache: undefined };
}

/** What is known of a request whose response has ended now. */
function toAnsweredRequest(
  { method = '' }: IncomingMessage,
  { route, cache, startedAt }: RequestContext,
  status: number,
): AnsweredRequest {
  return { route, method, status, seconds: (performance.now() - startedAt) / 1000, cache };
}

async function toRendered(
  response: Response,
  { route }: ResponseRecord,
): Promise<RenderedResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  const [first] = chunks;
  // A page is one chunk. Copies of it would wait for the garbage collection.
  const body =
    first && chunks.length === 1
      ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
      : Buffer.concat(chunks);
  return { status: response.status, headers: new Map(response.headers), body, route };
}

/** Node takes the first one, a proxy perhaps the last (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let name = 0; name < rawHeaders.length; name += 2)
    if (rawHeaders[name]?.length === 4 && rawHeaders[name]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

function isValidHost(host: string): boolean {
  return host !== '' && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}/`);
}

/** @param target of a request line; proxies may send a whole URL (RFC 9112, 3.2.2) */
function toPathAndQuery(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** `URL` reads a host, which may be invalid, only after two slashes. */
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
  // It is answered with 400.
  if (decodePath(path) === undefined) return pathAndQuery;
  const spelled = path.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return [spelled, ...query].join('?');
}

/**
 * The cache key of a share card or of a picture for mails, for any spelling of its path. No header or query
 * changes it, and to draw a card is the most expensive work that a stranger can ask for.
 * @param pathAndQuery of the API: at `//x/api/…`, of which `URL` leaves out the `//x`, there is a page
 * @returns undefined for other responses
 */
function toPictureKey(pathAndQuery: string): CacheKey | undefined {
  if (!PICTURE_PATH.test(pathAndQuery)) return undefined;
  const { pathname } = new URL(pathAndQuery, 'http://localhost');
  if (decodePath(pathname) === undefined) return undefined;
  // The names and ids in a path are trimmed, and in any case of letters; a name may begin with `@`.
  const spell = (part: string) => encodeURIComponent(toUsername(decodeURIComponent(part)));
  const path = pathname.replace(/\/$/, '').split('/').map(spell).join('/');
  return isCachedPicture(path) ? { key: path, address: path } : undefined;
}

/** The form of a path that the API's router compares: decoded, and without a slash at its end. */
function toRoutePath(path: string): string {
  const decoded = decodePath(path) ?? path;
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}

/** The text of an error that no page could be rendered for. */
function failureText(text: string): string {
  const request = findRequest();
  return request ? `${text} (Reference: ${request.id})` : text;
}

/** Leaves the connection open: a client can retry on it even if we refuse new connections. */
function sendUnavailable(
  response: ServerResponse,
  { status, detail } = refusalAnswer('unavailable'),
): void {
  response.writeHead(status, UNAVAILABLE_HEADERS).end(failureText(detail));
}

/** Closes the connection, because the body of the request stays unread. */
function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    .end(text);
}

/** The query parameters of a page, if it is cached with any. */
function pageParameters(path: string): readonly string[] {
  if (path === EXPLORE_PATH) return EXPLORE_PARAMETERS;
  const [, username = ''] = DESIGNS_PATH.exec(path) ?? [];
  // Other pages at such a path are not an artist's, and anyone could fill the cache with them.
  if (USERNAME_PATTERN.test(username) && !isReservedUsername(username)) return DESIGNS_PARAMETERS;
  return SCHEDULING_PATH.test(path) ? SCHEDULING_PARAMETERS : [];
}
