/** Loads the built site, which is Astro's output, into memory. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getMimeType } from 'hono/utils/mime';
import type { Logger } from 'pino';
import type { NoteCachePolicy } from '#cache/page_policy.ts';
import type { Transport } from '#contract/endpoint.ts';
import { HOUR_SECONDS } from '#domain/time/time.ts';
import {
  type Compression,
  type EncodedResponse,
  type RenderedResponse,
  toEncodedResponse,
} from '#server/cache/encoded_response.ts';
import type { SiteSettings } from '../../site_settings.ts';
import { findRequest, UNKNOWN_ROUTE } from './request_context.ts';

/** The exports of the build (`src/site_entry.ts`). */
interface SiteEntry {
  /** Pages that fail are rendered as error pages. */
  readonly render: (request: Request, locals: SiteLocals) => Promise<Response>;
  readonly sendAstroLogTo: (receive: (message: AstroMessage) => void) => void;
}

/** A part of `AstroLoggerMessage`. */
interface AstroMessage {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** For an error, its stack. */
  readonly message: string;
}

/** Passed to the pages as `Astro.locals`. */
interface SiteLocals {
  readonly settings: SiteSettings;
  /** Called with the pattern of each route that renders, such as `/[username]`. */
  readonly onRoute: (pattern: string) => void;
  /** Called with the error that fails a page. */
  readonly onError: (error: unknown) => void;
  /** Connects to the API in our process, for the client that requests the page. */
  readonly connectDirectly: (onAnswer: NoteCachePolicy) => Transport;
  /** For error pages. */
  readonly requestId: string | undefined;
}

/** The build of the site in memory, and its settings. */
export interface BuiltSite {
  readonly render: SiteEntry['render'];
  /** The responses for all scripts, styles, fonts and icons, by path, such as `/favicon.svg`. */
  readonly files: ReadonlyMap<string, EncodedResponse>;
  /**
   * The contents of the `files` below `ASSETS_PATH`, by name, such as `client.BFoie2PY.js`. Our
   * server also stores them in the database, for servers with another build.
   */
  readonly assets: ReadonlyMap<string, Buffer>;
  readonly settings: SiteSettings;
}

/** Files below this path have a hash of their content in their name, so they never change. */
export const ASSETS_PATH = '/_astro/';
/** How long browsers may keep a file that never changes. */
export const YEAR_SECONDS = 31_536_000;
/** The build compresses files in advance: `icon.svg.br` and `icon.svg.gz` are beside `icon.svg`. */
const COMPRESSED_EXTENSIONS: readonly (readonly [Compression, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/**
 * Set while a page is rendered, in all code that the page calls: the errors that the page has reported with
 * `onError`, as Astro writes them (`toAstroMessage`).
 */
const rendering = new AsyncLocalStorage<Set<string>>();

/**
 * Loads the whole build, because a later build or an upgrade may delete the folder while we run.
 * @param buildPath a folder with `client` and `server`, or a symbolic link to such a folder
 * @throws an error of the file system when the build is incomplete
 */
export async function loadSite(
  buildPath: string,
  settings: SiteSettings,
  log: Logger,
): Promise<BuiltSite> {
  // Resolved once, so that all files are of one build even if the link changes meanwhile.
  const folder = await realpath(buildPath);
  const serverFolder = join(folder, 'server');
  const { render, sendAstroLogTo }: SiteEntry = await import(
    pathToFileURL(join(serverFolder, 'entry.mjs')).href
  );
  sendAstroLogTo((message) => logForAstro(log, message));
  // All pages are imported now, because Astro imports a page only when it is first requested.
  for (const path of await listFiles(serverFolder))
    if (path.endsWith('.mjs')) await import(pathToFileURL(path).href);
  const { files, assets } = await readClientFiles(join(folder, 'client'));
  return {
    render(request, locals) {
      const reported = new Set<string>();
      const onError = (error: unknown) => {
        reported.add(toAstroMessage(error));
        locals.onError(error);
      };
      return rendering.run(reported, () => render(request, { ...locals, onError }));
    },
    files,
    assets,
    settings,
  };
}

/**
 * Logs an unhandled rejection of code that renders a page, which may be fine without it: for
 * example, the client may be gone.
 * @returns false, and logs nothing, when other code is the cause
 */
export function logRejectionOfPage(log: Logger, error: unknown): boolean {
  if (!rendering.getStore()) return false;
  // The id of the request, which the log adds, leads to the line with its route.
  log.error({ err: error, component: 'Site' }, 'A promise was rejected while a page was rendered');
  return true;
}

/**
 * Logs the warnings and errors of Astro, but not the errors that a page has reported: those are in our log,
 * and Astro repeats them as a bare stack, which may hold personal data.
 */
function logForAstro(log: Logger, { level, message }: AstroMessage): void {
  if (level !== 'error' && level !== 'warn') return;
  if (rendering.getStore()?.has(message)) return;
  // The route makes different messages different lines (`limitRepeats`).
  const route = findRequest()?.route ?? UNKNOWN_ROUTE;
  log[level]({ err: message, route, component: 'Site' }, 'A message of Astro');
}

/** The log message of Astro for an error that fails a page. */
function toAstroMessage(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** For an asset of another build, stored in the database. @param name path below `ASSETS_PATH` */
export function toAssetResponse(name: string, body: Buffer): RenderedResponse {
  return { status: 200, headers: toFileHeaders(`${ASSETS_PATH}${name}`), body };
}

async function readClientFiles(folder: string): Promise<Pick<BuiltSite, 'files' | 'assets'>> {
  const files = new Map<string, EncodedResponse>();
  const assets = new Map<string, Buffer>();
  const paths = new Set(await listFiles(folder));
  // A `.gz` file without its original is an original itself.
  const isCompressedCopy = (path: string) =>
    COMPRESSED_EXTENSIONS.some(
      ([, extension]) => path.endsWith(extension) && paths.has(path.slice(0, -extension.length)),
    );
  const originals = [...paths].filter((path) => !isCompressedCopy(path));
  await Promise.all(
    originals.map(async (path) => {
      const urlPath = `/${relative(folder, path).replaceAll(sep, '/')}`;
      const body = await readFile(path);
      const compressedBodies = await Promise.all(
        COMPRESSED_EXTENSIONS.filter(([, extension]) => paths.has(path + extension)).map(
          async ([compression, extension]) =>
            [compression, await readFile(path + extension)] as const,
        ),
      );
      const response = { status: 200, headers: toFileHeaders(urlPath), body };
      // Undefined means that the response is never compressed, so it needs no `Vary` header.
      const encodings = compressedBodies.length > 0 ? compressedBodies : undefined;
      files.set(urlPath, toEncodedResponse(response, encodings));
      if (urlPath.startsWith(ASSETS_PATH)) assets.set(urlPath.slice(ASSETS_PATH.length), body);
    }),
  );
  return { files, assets };
}

function toFileHeaders(urlPath: string): Map<string, string> {
  const maxAge = urlPath.startsWith(ASSETS_PATH) ? `${YEAR_SECONDS}, immutable` : HOUR_SECONDS;
  return new Map([
    ['content-type', getMimeType(urlPath) ?? 'application/octet-stream'],
    ['cache-control', `public, max-age=${maxAge}`],
    ['x-content-type-options', 'nosniff'],
  ]);
}

/** Returns the paths of all files in a folder and its subfolders. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
