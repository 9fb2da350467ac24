import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import inject from 'light-my-request';
import sirv from 'sirv';
import type { SiteSettings } from '../settings.ts';
import { addressOf } from './address.ts';
import { type App, keptQuery } from './app.ts';
import { type AskedAddress, askedAddress } from './edge/address_key.ts';
import type { Edge, Maker } from './edge/edge.ts';
import type { MadeAnswer } from './edge/ready_answer.ts';

/** Astro's middleware entry, as the build leaves it. */
type SiteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
  locals: SiteLocals,
) => void | Promise<void>;

/** What the server hands to the pages that it hosts. */
interface SiteLocals {
  readonly settings: SiteSettings;
  /** The API without a socket; `address` is whom the page is for. */
  readonly fetchApi: typeof fetch;
}

export interface Site {
  readonly handler: SiteHandler;
  /** Built files: scripts, styles, fonts. */
  readonly assets: string;
  readonly settings: SiteSettings;
}

const API = /^\/(?:api|healthz|readyz)(?:[/?]|$)/;
/** What pages and files answer to; the API has its own. */
const METHODS = new Set(['GET', 'HEAD', 'POST']);
const YEAR_SECONDS = 31_536_000;
/** Pages that show different things by their query, and what they read of it. */
const SCHEDULING = /^\/[^/]+\/scheduling$/;
const SCHEDULING_QUERY = ['service', 'design'];

export interface FrontParts {
  readonly app: App;
  readonly mediaFolder: string;
  /** Undefined serves the API alone. */
  readonly site: Site | undefined;
  readonly edge: Edge;
  /** Sites whose browsers may read the API's answers. */
  readonly allowedOrigins: readonly string[];
}

/** The Node front: what is kept, then API, then images, then built files, then pages. */
export function createFront({
  app,
  mediaFolder,
  site,
  edge,
  allowedOrigins,
}: FrontParts): RequestListener {
  const api = getRequestListener((request, { incoming }) =>
    app.fetch(request, { address: addressOf(incoming) }),
  );
  // `dev` looks at the disk for each file: images come and go while we run.
  const images = sirv(mediaFolder, { dev: true, etag: true, setHeaders: setImmutable });
  const assets = site && sirv(site.assets, { brotli: true, gzip: true, setHeaders: setAssetAge });
  const knownQuery = (path: string) =>
    keptQuery(path) ?? (SCHEDULING.test(path) ? SCHEDULING_QUERY : undefined);

  return (request, response) => {
    // HTTP/1.0, as some probes speak it, names no host.
    request.headers.host ??= 'localhost';
    if (!isHost(request.headers.host)) return sayPlainly(response, 400, 'No such host');
    const url = toPath(request.url ?? '/');
    if (!url.startsWith('/') || !URL.canParse(url, 'http://localhost'))
      return sayPlainly(response, 400, 'No such address');
    request.url = url;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const asked = isRead ? askedAddress(url, request.headers, knownQuery) : undefined;
    if (API.test(url)) return serveApi(request, response, asked);
    if (!METHODS.has(request.method ?? '')) return sayPlainly(response, 405, 'Method not allowed');
    const makePage = () => renderPage(request, asked?.address ?? url);
    if (asked && edge.answerKept(request, response, asked.key, makePage)) return;
    if (url.startsWith('/media/')) {
      request.url = url.slice('/media'.length);
      return images(request, response, () => sayPlainly(response, 404, 'Not found'));
    }
    if (!site || !assets) return sayPlainly(response, 404, 'Not found');
    assets(request, response, () => {
      if (isRead) return answerAnew(request, response, asked?.key, makePage);
      void site.handler(
        request,
        response,
        () => sayPlainly(response, 404, 'Not found'),
        localsFor(site, request),
      );
    });
  };

  function serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedAddress | undefined,
  ): void {
    const [path = '/'] = (request.url ?? '/').split('?');
    const { origin, authorization } = request.headers;
    const isKept = request.method === 'GET' || request.method === 'HEAD';
    if (!isKept || authorization !== undefined || !keptQuery(withoutSlash(decoded(path))))
      return void api(request, response);
    // Answers name the origin that may read them.
    const reader = origin !== undefined && allowedOrigins.includes(origin) ? origin : undefined;
    const key = asked && (reader === undefined ? asked.key : `${asked.key} ${reader}`);
    const address = asked?.address ?? request.url ?? '/';
    const make: Maker = async () => {
      const headers = reader === undefined ? undefined : { Origin: reader };
      const of = new Request(`http://localhost${address}`, { ...(headers && { headers }) });
      return read(await app.fetch(of, { address: addressOf(request) }));
    };
    if (key !== undefined && edge.answerKept(request, response, key, make)) return;
    answerAnew(request, response, key, make);
  }

  function answerAnew(
    request: IncomingMessage,
    response: ServerResponse,
    key: string | undefined,
    make: Maker,
  ): void {
    edge.answerAnew(request, response, key, make).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) sayPlainly(response, 500, 'Something went wrong.');
    });
  }

  /** Makes a page as for someone of whom nothing is known, so that everyone may see it. */
  async function renderPage(request: IncomingMessage, address: string): Promise<MadeAnswer> {
    if (!site) throw new Error('There are no pages without a site');
    const locals = localsFor(site, request);
    const made = await inject(
      (page, response) => {
        const missing = () => sayPlainly(response, 404, 'Not found');
        void site.handler(page, response, missing, locals);
      },
      { method: 'GET', url: address, headers: { host: new URL(site.settings.siteUrl).host } },
    );
    const headers = Object.entries(made.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return { status: made.statusCode, headers: new Map(headers), body: made.rawPayload };
  }

  function localsFor(site: Site, request: IncomingMessage): SiteLocals {
    const address = addressOf(request);
    return {
      settings: site.settings,
      fetchApi: async (input, init) => app.fetch(new Request(input, init), { address }),
    };
  }
}

async function read(response: Response): Promise<MadeAnswer> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: new Map(response.headers), body };
}

/** Loads the built site of a folder. */
export async function loadSite(dist: string, settings: SiteSettings): Promise<Site> {
  const { handler }: { handler: SiteHandler } = await import(
    pathToFileURL(join(dist, 'server/entry.mjs')).href
  );
  return { handler, assets: join(dist, 'client'), settings };
}

function setImmutable(response: ServerResponse): void {
  response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}

function setAssetAge(response: ServerResponse, path: string): void {
  // Names under /_astro/ carry a hash of the content.
  const age = path.startsWith('/_astro/') ? `${YEAR_SECONDS}, immutable` : '3600';
  response.setHeader('Cache-Control', `public, max-age=${age}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // sirv knows no type for it.
  if (path.endsWith('.ico')) response.setHeader('Content-Type', 'image/x-icon');
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

function sayPlainly(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(text);
}
