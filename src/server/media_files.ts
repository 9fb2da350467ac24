import { constants } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { matchesEtag } from './cache/send_response.ts';
import { errorCode } from './database/error_code.ts';
import { YEAR_SECONDS } from './site.ts';

/** How a picture was answered: sent, or what is to be answered instead. */
export type MediaResult = 'sent' | 'not_found' | 'unavailable';

/** As `disk_store.ts` names files, below `/media`. */
const MEDIA_PATH = /^\/media\/([0-9a-f-]{36})\/(\d{1,5})\.(avif|webp)$/;
/** Codes of `open` that mean that there is no such file. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** Opening a named pipe would wait for its writer, and block a thread of Node's for good. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
/** Trouble comes with every request; the log names it once in a while. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Sends pictures from a folder. Files come and go while the server runs, so nothing about them is
 * remembered.
 * @param folder of the disk store
 * @returns a function that sends the picture of a path such as `/media/{id}/640.webp`. It answers
 *   `not_found` or `unavailable`, and has sent nothing then, when the file is missing or cannot be opened
 */
export function createMediaHandler(folder: string, log: (line: string) => void) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const logTrouble = (line: string) => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    log(line);
  };

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<MediaResult> => {
    const [, imageId, width, format] = MEDIA_PATH.exec(path) ?? [];
    if (imageId === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return 'not_found';
    try {
      if (!(await waitForEarlierResponses(response))) return 'sent';
      await using file = await openFile(join(folder, imageId, `${width}.${format}`), OPEN_FLAGS);
      const stat = await file.stat();
      if (!stat.isFile()) return 'not_found';
      if (stat.size === 0) throw new Error('The file is empty');
      const etag = `W/"${stat.size}-${Math.trunc(stat.mtimeMs)}"`;
      const isUnchanged = matchesEtag(request.headers['if-none-match'], etag);
      response.writeHead(isUnchanged ? 304 : 200, {
        'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ETag: etag,
        'X-Content-Type-Options': 'nosniff',
        ...(isUnchanged ? {} : { 'Content-Type': `image/${format}`, 'Content-Length': stat.size }),
      });
      if (isUnchanged || request.method === 'HEAD') response.end();
      else
        await pipeline(
          file.createReadStream({ autoClose: false }),
          withExpectedLength(stat.size),
          response,
        );
    } catch (error) {
      const code = errorCode(error);
      if (!response.headersSent && code !== undefined && NOT_FOUND_CODES.has(code))
        return 'not_found';
      // The client went away.
      if (code !== 'ERR_STREAM_PREMATURE_CLOSE')
        logTrouble(
          `Media: reading ${path} failed; ${response.headersSent ? 'the connection was closed' : 'answered 503'}: ${error}`,
        );
      if (!response.headersSent) return 'unavailable';
      response.destroy();
    }
    return 'sent';
  };
}

/**
 * Waits until the answers to earlier requests of the connection are sent: a client may send
 * thousands of requests at once, and each would hold an open file.
 * @returns false when the client went away meanwhile
 */
function waitForEarlierResponses(response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    response.once('socket', () => resolve(true));
    response.once('close', () => resolve(false));
  });
}

/** Passes a file on, and fails when it ends before the length that was promised to the client. */
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
