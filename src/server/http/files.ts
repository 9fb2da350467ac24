/** Serves files: those of the site's build, those of other builds, and the images of the disk store. */

import { constants } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  COMPRESSIONS,
  type EncodedResponse,
  encodeResponse,
} from '#server/cache/encoded_response.ts';
import { matchesEtag, sendResponse } from '#server/cache/send_response.ts';
import { errorCode } from '#server/database/error_code.ts';
import { imagePath, parseImagePath } from '#server/images/image_store.ts';
import { sendText, sendUnavailable } from './plain_answers.ts';
import { ASSETS_PATH, type BuiltSite, toAssetResponse, YEAR_SECONDS } from './site.ts';

export interface FileOptions {
  readonly imageFolder: string;
  /** The pages; undefined serves no pages. */
  readonly site: BuiltSite | undefined;
  /** Reads a script or style of another build of the site, such as an older one, by its name. */
  readonly findAsset: (name: string) => Promise<Buffer | undefined>;
  readonly log: Logger;
}

const ASSET_NAME = /^[\w.-]{1,128}$/;
/** The size of the memory cache for the scripts and styles of older and newer builds. */
const OTHER_BUILDS_BYTES = 8 * 1024 * 1024;
/** Before the path of an image in its store. */
const MEDIA_PATH = '/media/';
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** Without `O_NONBLOCK`, opening a named pipe would block one of Node's threads forever. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** @returns a function that sends the file at a path; it returns false if no file can be at this path */
export function createFileHandler({ imageFolder, site, findAsset, log }: FileOptions) {
  /** For a page that is open in a browser, or a page of another server that is upgraded already. */
  const otherBuildFiles = new LRUCache<string, EncodedResponse>({
    maxSize: OTHER_BUILDS_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    // With this option, a file that does not fit into this cache is still returned.
    ignoreFetchAbort: true,
    fetchMethod: async (name) => {
      const bytes = ASSET_NAME.test(name) ? await findAsset(name) : undefined;
      return bytes && encodeResponse(toAssetResponse(name, bytes), COMPRESSIONS);
    },
  });

  /** Files have no routes: `record` receives a pattern in the place of one, for log and metrics. */
  return async (
    response: ServerResponse,
    path: string,
    record: { route: string },
  ): Promise<boolean> => {
    if (path.startsWith(MEDIA_PATH)) {
      record.route = '/media/:image/:file';
      await sendImage(response, path, imageFolder, log);
      return true;
    }
    if (!site) return false;
    const isAsset = path.startsWith(ASSETS_PATH);
    const isGetOrHead = isRead(response.req);
    const built = isGetOrHead ? site.files.get(path) : undefined;
    if (!built && !isAsset) return false;
    record.route = isAsset ? `${ASSETS_PATH}:file` : '/:file';
    const name = path.slice(ASSETS_PATH.length);
    const file = built ?? (isGetOrHead ? await otherBuildFiles.fetch(name) : undefined);
    if (file) sendResponse(response, file);
    else sendText(response, 404, 'Not found');
    return true;
  };
}

/** Whether a request is a GET or HEAD. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Sends the image of a path such as `/media/{id}/640.webp`. */
async function sendImage(
  response: ServerResponse,
  path: string,
  folder: string,
  log: Logger,
): Promise<void> {
  const { req: request } = response;
  const image = parseImagePath(path.slice(MEDIA_PATH.length));
  if (!image || !isRead(request)) return sendText(response, 404, 'Not found');
  try {
    const isConnected = await waitForEarlierResponses(response);
    if (!isConnected) return;
    await using file = await openFile(join(folder, imagePath(image)), OPEN_FLAGS);
    const stat = await file.stat();
    if (!stat.isFile()) return sendText(response, 404, 'Not found');
    if (stat.size === 0) throw new Error('The file is empty');
    const etag = `W/"${stat.size}-${Math.trunc(stat.mtimeMs)}"`;
    const isNotModified = matchesEtag(request.headers['if-none-match'], etag);
    const headers = {
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
    };
    if (isNotModified) {
      response.writeHead(304, headers).end();
      return;
    }
    const bodyHeaders = { 'Content-Type': `image/${image.format}`, 'Content-Length': stat.size };
    response.writeHead(200, { ...headers, ...bodyHeaders });
    if (request.method === 'HEAD') response.end();
    else
      await pipeline(
        // `await using` closes the file.
        file.createReadStream({ autoClose: false }),
        withExpectedLength(stat.size),
        response,
      );
  } catch (error) {
    const code = errorCode(error);
    if (!response.headersSent && code !== undefined && NOT_FOUND_CODES.has(code))
      return sendText(response, 404, 'Not found');
    // This code means that the client disconnected, which is not an error of ours.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.error(
        { err: error, component: 'Media', file: path },
        response.headersSent
          ? 'Reading an image failed (the connection was closed)'
          : 'Reading an image failed (answered 503)',
      );
    if (!response.headersSent) return sendUnavailable(response, 'unavailable');
    // The response has begun, so only a broken connection can show the client the error.
    response.destroy();
  }
}

/**
 * Waits until the connection's earlier requests have been answered. Without this, a client that
 * sends thousands of requests before reading (pipelining) would keep a file open for each.
 * @returns false when the client disconnects during the wait
 */
function waitForEarlierResponses(response: ServerResponse): Promise<boolean> {
  // Node gives a response its socket when it is the response's turn.
  if (response.socket !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    response.once('socket', () => resolve(true));
    response.once('close', () => resolve(false));
  });
}

/** Fails when the file is not as long as the `Content-Length` that was sent. */
function withExpectedLength(size: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (const chunk of chunks) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent !== size) throw new Error(`The file has ${sent} bytes instead of ${size}`);
  };
}
