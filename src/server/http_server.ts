import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import inject from 'light-my-request';
import { LRUCache } from 'lru-cache';
import { PROBLEMS, RETRY_AFTER_SECONDS } from './api/problems.ts';
import { type App, cachedQueryParameters } from './app.ts';
import { type CacheKey, cacheKey } from './cache/cache_key.ts';
import {
  COMPRESSIONS,
  type EncodedResponse,
  encodeResponse,
  type RenderedResponse,
} from './cache/encoded_response.ts';
import type { HttpCache, Render } from './cache/http_cache.ts';
import { sendResponse } from './cache/send_response.ts';
import { isDatabaseUnavailable } from './database/connect.ts';
import { getClientAddress } from './ip_address.ts';
import { createMediaHandler } from './media_files.ts';
import { ASSETS_PATH, type BuiltSite, type SiteLocals, toAssetResponse } from './site.ts';

const API = /^\/(?:api|healthz|readyz)(?:[/?]|$)/;
/** What pages and files answer to; the API has its own. */
const METHODS = new Set(['GET', 'HEAD', 'POST']);
/** What may stand in the name of a built file. */
const ASSET_NAME = /^[\w.-]{1,128}$/;
/** Memory for the files of earlier builds that were asked for last. */
const EARLIER_ASSETS_BYTES = 8 * 1024 * 1024;
/** Pages that show different things by their query, and what they read of it. */
const SCHEDULING = /^\/[^/]+\/scheduling$/;
const SCHEDULING_QUERY = ['service', 'design'];

export interface HttpHandlerOptions {
  readonly app: App;
  readonly imageFolder: string;
  /** Undefined serves the API alone. */
  readonly site: BuiltSite | undefined;
  /** The content of a file of another build, by its name. */
  readonly findAsset: (name: string) => Promise<Buffer | undefined>;
  readonly cache: HttpCache;
  /** Sites whose browsers may read the API's answers. */
  readonly allowedOrigins: readonly string[];
  readonly log: (line: string) => void;
}

/** The Node front: what is kept, then API, then images, then built files, then pages. */
export function createHttpHandler({
  app,
  imageFolder,
  site,
  findAsset,
  cache,
  allowedOrigins,
  log,
}: HttpHandlerOptions): RequestListener {
  const api = getRequestListener((request, { incoming }) =>
    app.fetch(request, { address: getClientAddress(incoming) }),
  );
  const sendPicture = createMediaHandler(imageFolder, log);
  const earlierAssets = new LRUCache<string, EncodedResponse>({
    maxSize: EARLIER_ASSETS_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    // A file that the cache has no room for is still sent to the client that waits for it.
    ignoreFetchAbort: true,
    fetchMethod: async (name) => {
      const bytes = await findAsset(name);
      return bytes && encodeResponse(toAssetResponse(name, bytes), COMPRESSIONS);
    },
  });
  const knownQuery = (path: string) =>
    cachedQueryParameters(path) ?? (SCHEDULING.test(path) ? SCHEDULING_QUERY : undefined);

  return (request, response) => {
    // HTTP/1.0, as some probes speak it, names no host.
    request.headers.host ??= 'localhost';
    if (!isHost(request.headers.host)) return sayPlainly(response, 400, 'No such host');
    const url = toPath(request.url ?? '/');
    if (!url.startsWith('/') || !URL.canParse(url, 'http://localhost'))
      return sayPlainly(response, 400, 'No such address');
    request.url = url;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const asked = isRead ? cacheKey(url, request.headers, knownQuery) : undefined;
    if (API.test(url)) return serveApi(request, response, asked);
    // Astro would log an error for each.
    if (!isDecodable(url)) return sayPlainly(response, 400, 'No such address');
    if (!METHODS.has(request.method ?? '')) {
      response.setHeader('Allow', [...METHODS].join(', '));
      return sayPlainly(response, 405, 'Method not allowed');
    }
    const makePage = () => renderPage(request, asked?.address ?? url);
    if (asked && cache.serveCached(request, response, asked.key, makePage)) return;
    const [path = '/'] = url.split('?');
    if (path.startsWith('/media/'))
      return guard(response, () => serveMedia(request, response, path));
    if (!site) return sayPlainly(response, 404, 'Not found');
    const file = isRead ? site.files.get(path) : undefined;
    if (file) return sendResponse(request, response, file);
    if (path.startsWith(ASSETS_PATH))
      return guard(response, () =>
        serveEarlierAsset(request, response, path.slice(ASSETS_PATH.length)),
      );
    if (isRead) return answerAnew(request, response, asked?.key, makePage);
    guard(response, () =>
      site.handler(
        request,
        response,
        () => sayPlainly(response, 404, 'Not found'),
        localsFor(site, request),
      ),
    );
  };

  async function serveMedia(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    const result = await sendPicture(request, response, path);
    if (result === 'not_found') sayPlainly(response, 404, 'Not found');
    if (result === 'unavailable') sayUnavailable(response);
  }

  /** A file of a build that is not this server's: a cached page of before, or of a newer server. */
  async function serveEarlierAsset(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
  ): Promise<void> {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead && ASSET_NAME.test(name) ? await earlierAssets.fetch(name) : undefined;
    if (file) sendResponse(request, response, file);
    else sayPlainly(response, 404, 'Not found');
  }

  /** Answers what failed unexpectedly, so that no request is left open and no error is uncaught. */
  function guard(response: ServerResponse, work: () => void | Promise<void>): void {
    const run = async () => work();
    run().catch((error: unknown) => {
      log(`Server: answering a request failed: ${error instanceof Error ? error.stack : error}`);
      if (response.headersSent) response.destroy();
      else if (isDatabaseUnavailable(error)) sayUnavailable(response);
      else sayPlainly(response, 500, 'Something went wrong.');
    });
  }

  function serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    asked: CacheKey | undefined,
  ): void {
    const [path = '/'] = (request.url ?? '/').split('?');
    const { origin, authorization } = request.headers;
    const isKept = request.method === 'GET' || request.method === 'HEAD';
    if (
      !isKept ||
      authorization !== undefined ||
      !cachedQueryParameters(withoutSlash(decoded(path)))
    ) {
      guard(response, () => api(request, response));
      return;
    }
    // Answers name the origin that may read them.
    const reader = origin !== undefined && allowedOrigins.includes(origin) ? origin : undefined;
    const key = asked && (reader === undefined ? asked.key : `${asked.key} ${reader}`);
    const address = asked?.address ?? request.url ?? '/';
    const make: Render = async () => {
      const headers = reader === undefined ? undefined : { Origin: reader };
      const of = new Request(`http://localhost${address}`, { ...(headers && { headers }) });
      return read(await app.fetch(of, { address: getClientAddress(request) }));
    };
    if (key !== undefined && cache.serveCached(request, response, key, make)) return;
    answerAnew(request, response, key, make);
  }

  function answerAnew(
    request: IncomingMessage,
    response: ServerResponse,
    key: string | undefined,
    make: Render,
  ): void {
    guard(response, () => cache.render(request, response, key, make));
  }

  /** Makes a page as for someone of whom nothing is known, so that everyone may see it. */
  async function renderPage(request: IncomingMessage, address: string): Promise<RenderedResponse> {
    if (!site) throw new Error('There are no pages without a site');
    const locals = localsFor(site, request);
    const made = await inject(
      (page, response) => {
        const missing = () => sayPlainly(response, 404, 'Not found');
        guard(response, () => site.handler(page, response, missing, locals));
      },
      { method: 'GET', url: address, headers: { host: new URL(site.settings.siteUrl).host } },
    );
    const headers = Object.entries(made.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return { status: made.statusCode, headers: new Map(headers), body: made.rawPayload };
  }

  function localsFor(site: BuiltSite, request: IncomingMessage): SiteLocals {
    const address = getClientAddress(request);
    return {
      settings: site.settings,
      fetchApi: async (input, init) => app.fetch(new Request(input, init), { address }),
    };
  }
}

async function read(response: Response): Promise<RenderedResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: new Map(response.headers), body };
}

/** Whether pages can be asked for under this name. */
function isHost(host: string): boolean {
  return host !== '' && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}/`);
}

/** The path and query of a request line, which may be a whole URL (RFC 9112, 3.2.2). */
function toPath(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** As the API reads it; what cannot be decoded is nobody's. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Something may work a moment later. The connection stays open: a new one may be refused. */
function sayUnavailable(response: ServerResponse): void {
  response
    .writeHead(503, {
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-store',
      'Retry-After': RETRY_AFTER_SECONDS,
    })
    .end(PROBLEMS.unavailable.detail);
}

function sayPlainly(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    .end(text);
}
