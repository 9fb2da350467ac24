import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getMimeType } from 'hono/utils/mime';
import type { SiteSettings } from '../site_settings.ts';
import {
  type Compression,
  type EncodedResponse,
  type RenderedResponse,
  toEncodedResponse,
} from './cache/encoded_response.ts';

/** Astro's middleware entry, as the build leaves it. */
type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
  locals: SiteLocals,
) => void | Promise<void>;

/** What the server hands to the pages that it hosts. */
export interface SiteLocals {
  readonly settings: SiteSettings;
  /** The API without a socket, called for the client of this page. */
  readonly fetchApi: typeof fetch;
}

/** The built site, all of it in memory. */
export interface BuiltSite {
  readonly handler: AstroHandler;
  /** Scripts, styles, fonts and icons, by path, such as `/favicon.svg`. */
  readonly files: ReadonlyMap<string, EncodedResponse>;
  /** The bytes of the files whose names carry a hash, by name, such as `client.BFoie2PY.js`. */
  readonly assets: ReadonlyMap<string, Buffer>;
  readonly settings: SiteSettings;
}

/** Files below it have a hash of their content in their name. */
export const ASSETS_PATH = '/_astro/';
export const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3600;
/** Files that the build leaves beside the originals (`scripts/precompress.ts`). */
const COMPRESSED_EXTENSIONS: readonly (readonly [Compression, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Holds true in all that is done to render a page. */
const rendering = new AsyncLocalStorage<true>();

/** Whether the code that runs now, or the promise that was rejected now, belongs to the rendering of a page. */
export function isRendering(): boolean {
  return rendering.getStore() ?? false;
}

/**
 * Loads a build. Everything is read at once: a later build, or an upgrade, may then replace or
 * remove the folder while this server runs.
 * @param build a folder with `client` and `server`; a link is followed once
 * @throws an error of the file system when the build is not whole
 */
export async function loadSite(build: string, settings: SiteSettings): Promise<BuiltSite> {
  const folder = await realpath(build);
  const server = join(folder, 'server');
  const { handler }: { handler: AstroHandler } = await import(
    pathToFileURL(join(server, 'entry.mjs')).href
  );
  // Astro imports a page at its first request. Imported now, it needs no file later.
  for (const path of await listFiles(server))
    if (path.endsWith('.mjs')) await import(pathToFileURL(path).href);
  const { files, assets } = await readClientFiles(join(folder, 'client'));
  return {
    handler: (...call) => rendering.run(true, () => handler(...call)),
    files,
    assets,
    settings,
  };
}

/** A built file as an answer, not yet compressed. */
export function toAssetResponse(name: string, body: Buffer): RenderedResponse {
  return { status: 200, headers: toAssetHeaders(`${ASSETS_PATH}${name}`), body };
}

async function readClientFiles(folder: string): Promise<Pick<BuiltSite, 'files' | 'assets'>> {
  const files = new Map<string, EncodedResponse>();
  const assets = new Map<string, Buffer>();
  const paths = new Set(await listFiles(folder));
  const originals = [...paths].filter(
    (path) =>
      !COMPRESSED_EXTENSIONS.some(
        ([, end]) => path.endsWith(end) && paths.has(path.slice(0, -end.length)),
      ),
  );
  await Promise.all(
    originals.map(async (path) => {
      const url = `/${relative(folder, path).replaceAll(sep, '/')}`;
      const body = await readFile(path);
      const encodings = await Promise.all(
        COMPRESSED_EXTENSIONS.filter(([, end]) => paths.has(path + end)).map(
          async ([one, end]) => [one, await readFile(path + end)] as const,
        ),
      );
      const made = { status: 200, headers: toAssetHeaders(url), body };
      files.set(url, toEncodedResponse(made, encodings.length > 0 ? encodings : undefined));
      if (url.startsWith(ASSETS_PATH)) assets.set(url.slice(ASSETS_PATH.length), body);
    }),
  );
  return { files, assets };
}

function toAssetHeaders(path: string): Map<string, string> {
  const age = path.startsWith(ASSETS_PATH) ? `${YEAR_SECONDS}, immutable` : `${HOUR_SECONDS}`;
  return new Map([
    ['content-type', getMimeType(path) ?? 'application/octet-stream'],
    ['cache-control', `public, max-age=${age}`],
    ['x-content-type-options', 'nosniff'],
  ]);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
