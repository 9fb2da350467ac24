/** Renders responses that caches may share: pages, and the public reads of the API. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { isClientPage, pageParameters } from '#cache/pages.ts';
import { toUsername } from '#domain/accounts/typed_username.ts';
import { decodePath } from '#domain/requests/page_path.ts';
import { cachedQueryParameters, isCachedPicture } from '#server/api/routes.ts';
import { type CacheKey, toCacheKey } from '#server/cache/cache_key.ts';
import type { RenderedResponse } from '#server/cache/encoded_response.ts';
import type { ResponseRecord, SharedRead } from '#server/cache/http_cache.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import type { App, ConnectDirectly } from './app.ts';
import { findRequest, noteError, UNKNOWN_ROUTE } from './request_context.ts';
import type { BuiltSite } from './site.ts';

/** The paths that `app` serves. */
const API_PATH = /^\/(?:api|healthz|readyz)(?:[/?]|$)/;
/** Quickly excludes most paths that are neither a share card nor a picture for mails. */
const PICTURE_PATH = /share-image|mail-picture|%/i;

export interface RenderOptions {
  readonly app: App;
  readonly connectDirectly: ConnectDirectly;
  readonly site: BuiltSite | undefined;
  /** Origins whose scripts may read API responses (CORS). */
  readonly allowedOrigins: readonly string[];
  readonly log: Logger;
}

/** Answers questions about a request: who sends it, and whether it is one too many. */
export interface Gate {
  /** The client's address, for the rate limits of the API. */
  readonly clientIpOf: (request: IncomingMessage) => string;
  /** Whether a request must be refused, because more arrive than our process can serve. */
  readonly isTooMuch: (request: IncomingMessage) => boolean;
}

/** @returns functions that find how a request is rendered, and render a page */
export function createRenderer(
  { app, connectDirectly, site, allowedOrigins, log }: RenderOptions,
  { clientIpOf, isTooMuch }: Gate,
) {
  const siteOrigin = site && new URL(site.settings.siteUrl).origin;

  /**
   * How a GET or HEAD request is rendered; undefined for calls of the API that are not public. Nothing passes
   * on the headers of the client, so that every client may get the response.
   */
  function findRead(request: IncomingMessage): SharedRead | undefined {
    const { url = '/', headers } = request;
    const isOfApi = isApiPath(url);
    // Its `address` is `url` without parameters that change no response, such as `utm_source`.
    const cacheable = findCacheKey(url, headers);
    const address = cacheable?.address ?? url;
    if (!isOfApi) return { key: cacheable?.key, render: () => renderPage(request, address) };
    const [path = '/'] = address.split('?');
    // A picture has a key, and is public, even in a call with an access token.
    const isPublic = cacheable !== undefined || headers.authorization === undefined;
    if (!isPublic || cachedQueryParameters(toRoutePath(path)) === undefined) return undefined;
    // A response names the origin that may read it (CORS), so each origin has its own cache entry.
    const origin = allowedOrigins.find((allowed) => allowed === headers.origin);
    return {
      key: cacheable && (origin ? `${cacheable.key} ${origin}` : cacheable.key),
      render: () => renderCall(request, address, origin ? { Origin: origin } : {}),
    };
  }

  async function renderCall(
    incoming: IncomingMessage,
    address: string,
    headers: Record<string, string>,
  ): Promise<RenderedResponse> {
    const request = new Request(`http://localhost${address}`, { headers });
    const record = { route: UNKNOWN_ROUTE };
    const isOverloaded = isTooMuch(incoming);
    const options = { clientIp: clientIpOf(incoming), record, isOverloaded };
    return toRendered(await app.fetch(request, options), record);
  }

  async function renderPage(incoming: IncomingMessage, url: string): Promise<RenderedResponse> {
    // Only the client's page, which nobody shares, gets their language.
    const language = isClientPage(url) ? incoming.headers['accept-language'] : undefined;
    const headers = language === undefined ? {} : { 'Accept-Language': language };
    const request = new Request(siteOrigin + url, { headers });
    const record = { route: UNKNOWN_ROUTE };
    try {
      return await toRendered(await renderSite(request, clientIpOf(incoming), record), record);
    } catch (error) {
      // There is no response that names the route.
      const failed = findRequest();
      if (failed) failed.route = record.route;
      throw error;
    }
  }

  /** @param record receives the route: by default, the context of the request that is being served */
  function renderSite(
    request: Request,
    clientIp: string,
    record: ResponseRecord = findRequest() ?? { route: UNKNOWN_ROUTE },
  ): Promise<Response> {
    if (!site) throw new Error('There are no pages without a site');
    return site.render(request, {
      settings: site.settings,
      onRoute(pattern) {
        // If the page fails, the error page has a route too. The first one is logged.
        if (record.route === UNKNOWN_ROUTE) record.route = pattern;
      },
      onError: (error) => notePageError(error, record.route),
      connectDirectly: (onAnswer) => connectDirectly({ clientIp, onAnswer }),
      requestId: findRequest()?.id,
    });
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

  return { findRead, renderSite };
}

/** Whether the API or a health check answers at this path, which may have a query. */
export function isApiPath(url: string): boolean {
  return API_PATH.test(url);
}

/** Undefined for a response that nobody may share. */
function findCacheKey(url: string, headers: IncomingHttpHeaders): CacheKey | undefined {
  if (isClientPage(url)) return undefined;
  const key = toCacheKey(url, headers, knownParameters);
  return key ?? (isApiPath(url) ? toPictureKey(url) : undefined);
}

/**
 * The query parameters with which a response of this path may be cached. `toCacheKey` passes a path
 * without a slash at its end, not decoded: `/api/v1/%75sers` matches no API route here.
 */
function knownParameters(path: string): readonly string[] {
  return cachedQueryParameters(path) ?? pageParameters(path);
}

async function toRendered(
  response: Response,
  { route }: ResponseRecord,
): Promise<RenderedResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  const [first] = chunks;
  // A page is one chunk, which is used without a copy: copies take memory until the garbage collection.
  const body =
    first && chunks.length === 1
      ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
      : Buffer.concat(chunks);
  return { status: response.status, headers: new Map(response.headers), body, route };
}

/**
 * The cache key of a share card or of a picture for mails, for any spelling of its path. No header or query
 * changes it, and to draw a card is the most expensive work that a stranger can ask for.
 * @param pathAndQuery of the API. Not for `//x/api/…`, the address of a page: `URL` would take `x` for a host
 * @returns undefined for other responses
 */
function toPictureKey(pathAndQuery: string): CacheKey | undefined {
  if (!PICTURE_PATH.test(pathAndQuery)) return undefined;
  const { pathname } = new URL(pathAndQuery, 'http://localhost');
  if (decodePath(pathname) === undefined) return undefined;
  // The API takes names and ids with spaces around them, in capitals, and with `@` before a name.
  const spell = (part: string) => encodeURIComponent(toUsername(decodeURIComponent(part)));
  const path = pathname.replace(/\/$/, '').split('/').map(spell).join('/');
  return isCachedPicture(path) ? { key: path, address: path } : undefined;
}

/** The form of a path that the API's router compares: decoded, and without a slash at its end. */
function toRoutePath(path: string): string {
  const decoded = decodePath(path) ?? path;
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}
