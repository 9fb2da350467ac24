import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import sirv from 'sirv';
import type { SiteSettings } from '../settings.ts';
import { addressOf } from './address.ts';
import type { App } from './app.ts';

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

/**
 * The Node front: API, then images, then built files, then pages.
 * @param site undefined serves the API alone
 */
export function createFront(
  app: App,
  mediaFolder: string,
  site: Site | undefined,
): RequestListener {
  const api = getRequestListener((request, { incoming }) =>
    app.fetch(request, { address: addressOf(incoming) }),
  );
  // `dev` looks at the disk for each file: images come and go while we run.
  const images = sirv(mediaFolder, { dev: true, etag: true, setHeaders: setImmutable });
  const assets = site && sirv(site.assets, { brotli: true, gzip: true, setHeaders: setAssetAge });

  return (request, response) => {
    // HTTP/1.0, as some probes speak it, names no host.
    request.headers.host ??= 'localhost';
    if (!isHost(request.headers.host)) return sayPlainly(response, 400, 'No such host');
    const url = toPath(request.url ?? '/');
    request.url = url;
    if (API.test(url)) return api(request, response);
    if (!METHODS.has(request.method ?? '')) return sayPlainly(response, 405, 'Method not allowed');
    if (url.startsWith('/media/')) {
      request.url = url.slice('/media'.length);
      return images(request, response, () => sayPlainly(response, 404, 'Not found'));
    }
    if (!site || !assets) return sayPlainly(response, 404, 'Not found');
    assets(request, response, () => {
      const address = addressOf(request);
      const fetchApi: typeof fetch = async (input, init) =>
        app.fetch(new Request(input, init), { address });
      void site.handler(request, response, () => sayPlainly(response, 404, 'Not found'), {
        settings: site.settings,
        fetchApi,
      });
    });
  };
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
  return host !== '' && URL.canParse(`http://${host}/`);
}

/** The path and query of a request line, which may be a whole URL (RFC 9112, 3.2.2). */
function toPath(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function sayPlainly(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(text);
}
