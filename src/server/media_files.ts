/** Serves the images of the disk store, which keeps each image in a folder of its own. */

import { constants } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { matchesEtag } from './cache/send_response.ts';
import { errorCode } from './database/error_code.ts';
import { YEAR_SECONDS } from './site.ts';

type MediaResult = 'sent' | 'not_found' | 'unavailable';

/** `/media/{image id}/{width}.{format}`, as in `disk_store.ts`. */
const MEDIA_PATH = /^\/media\/([0-9a-f-]{36})\/(\d{1,5})\.(avif|webp)$/;
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** Without `O_NONBLOCK`, opening a named pipe would block one of Node's threads forever. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Creates the function that sends the image of a path such as `/media/{id}/640.webp`. */
export function createMediaHandler(folder: string, log: Logger) {
  /** @returns `sent` also when the client is gone; for other results, the caller responds */
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<MediaResult> => {
    const [, imageId, width, format] = MEDIA_PATH.exec(path) ?? [];
    if (imageId === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return 'not_found';
    try {
      const isConnected = await waitForEarlierResponses(response);
      if (!isConnected) return 'sent';
      await using file = await openFile(join(folder, imageId, `${width}.${format}`), OPEN_FLAGS);
      const stat = await file.stat();
      if (!stat.isFile()) return 'not_found';
      if (stat.size === 0) throw new Error('The file is empty');
      const etag = `W/"${stat.size}-${Math.trunc(stat.mtimeMs)}"`;
      const isNotModified = matchesEtag(request.headers['if-none-match'], etag);
      response.writeHead(isNotModified ? 304 : 200, {
        'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ETag: etag,
        'X-Content-Type-Options': 'nosniff',
        ...(isNotModified
          ? {}
          : { 'Content-Type': `image/${format}`, 'Content-Length': stat.size }),
      });
      if (isNotModified || request.method === 'HEAD') response.end();
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
        return 'not_found';
      // This code means that the client disconnected, which is not an error of ours.
      if (code !== 'ERR_STREAM_PREMATURE_CLOSE')
        log.error(
          { err: error, component: 'Media', file: path },
          response.headersSent
            ? 'Reading an image failed (the connection was closed)'
            : 'Reading an image failed (answered 503)',
        );
      if (!response.headersSent) return 'unavailable';
      // The response has begun, so only a broken connection can tell the client of the error.
      response.destroy();
    }
    return 'sent';
  };
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
