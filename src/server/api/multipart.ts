/** Receives multipart uploads as files on disk, so that memory use stays small. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open as openFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getMultipartBoundary,
  MaxFileSizeExceededError,
  MultipartParseError,
  type MultipartPart,
  parseMultipartStream,
} from '@remix-run/multipart-parser/node';
import { Refusal, refuse } from '#domain/refusal.ts';
import type { Uploads } from '#server/operations/context.ts';
import { UploadedFile } from '#server/operations/store_images.ts';
import { InvalidRequest } from './input.ts';

/** The most pictures that one request may upload. */
export const MAX_IMAGES = 20;

const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 15 * MEGABYTE;
const MAX_TEXT_FIELD_BYTES = 64 * 1024;
const MAX_TEXT_FIELDS = 20;
/** Room for everything in a body except its files: texts, boundaries and part headers. */
const MAX_NON_FILE_BYTES = MEGABYTE;
const MAX_DRAIN_BYTES = 64 * MEGABYTE;
const DRAIN_TIMEOUT_MS = 30_000;

/** Each field by name: the list of its files or, if it has no file, its last text. */
type MultipartFields = Record<string, string | UploadedFile[]>;

/**
 * Receives a multipart body in a new folder below `uploads.folder`. Disposing of `cleanup` removes
 * that folder. First saves the whole body, which a slow client may send for minutes. Then parses it
 * when no other body is being parsed, because the parser holds a whole file in memory.
 * @param imageCount sets only the limit of bytes. Up to `MAX_IMAGES` small files are received even
 *   with `one`; then the schema of the endpoint refuses them.
 * @throws Refusal `wrong_media_type`, `file_too_large`, `upload_too_large`,
 *   `too_many_pictures`, `body_too_large`
 * @throws InvalidRequest when the body is malformed
 */
export async function receiveMultipart(
  request: Request,
  imageCount: 'one' | 'several',
  uploads: Uploads,
  cleanup: AsyncDisposableStack,
): Promise<MultipartFields> {
  const contentType = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data(?:;|$)/i.test(contentType.trim())) throw refuse('wrong_media_type');
  const boundary = getMultipartBoundary(contentType);
  if (!boundary || !request.body) throw malformedBody();
  const maxFilesBytes = (imageCount === 'one' ? 1 : MAX_IMAGES) * MAX_FILE_BYTES;
  const maxBodyBytes = maxFilesBytes + MAX_NON_FILE_BYTES;
  const sizeRefusal = imageCount === 'one' ? 'file_too_large' : 'upload_too_large';
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBodyBytes) throw refuse(sizeRefusal);

  const folder = join(uploads.folder, randomUUID());
  // A failed removal is ignored, because our server removes leftover folders when it starts.
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}));
  await mkdir(folder, { recursive: true });
  const bodyPath = join(folder, 'body');
  if ((await saveBody(request.body, bodyPath, maxBodyBytes)) === 'too large')
    throw refuse(sizeRefusal);
  const fields = await uploads.parseOneAtATime(() => parseSavedBody(bodyPath, boundary, folder));
  // The parsed files are copies, so free the disk space of the body before the request is handled.
  await rm(bodyPath);
  return fields;
}

/**
 * Reads and discards the rest of a body, up to `MAX_DRAIN_BYTES`. Call this before an early
 * response: a client reads the response only after it has sent the body.
 * @param timeoutMs limits the whole wait, so that a stalled client cannot hold the request open
 */
export async function drainBody({ body }: Request, timeoutMs = DRAIN_TIMEOUT_MS): Promise<void> {
  // Another reader owns a locked body.
  if (!body || body.locked) return;
  const reader = body.getReader();
  const timerController = new AbortController();
  const timeout = sleep(timeoutMs, 'timed out' as const, { signal: timerController.signal });
  // `abort` below rejects `timeout`, which Node would report as an unhandled rejection.
  timeout.catch(() => {});
  try {
    let bytes = 0;
    while (bytes < MAX_DRAIN_BYTES) {
      const chunk = await Promise.race([reader.read(), timeout]);
      if (chunk === 'timed out' || chunk.done) return;
      bytes += chunk.value.byteLength;
    }
  } catch {
    // The client disconnected, so nobody waits for a response.
  } finally {
    timerController.abort();
    reader.releaseLock();
  }
}

async function saveBody(
  body: ReadableStream<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<'saved' | 'too large'> {
  const reader = body.getReader();
  try {
    await using file = await openFile(path, 'wx');
    let bytes = 0;
    while (true) {
      const { done, value } = await reader.read();
      if (done) return 'saved';
      bytes += value.byteLength;
      if (bytes > maxBytes) return 'too large';
      await file.appendFile(value);
    }
  } finally {
    // Release the body without cancelling it, as `drainBody` may have to read the rest.
    reader.releaseLock();
  }
}

/** @param folder receives the files of the body */
async function parseSavedBody(
  bodyPath: string,
  boundary: string,
  folder: string,
): Promise<MultipartFields> {
  const stream = createReadStream(bodyPath, { end: await findLastByteOffset(bodyPath) });
  try {
    const parts = parseMultipartStream(stream, {
      boundary,
      maxFileSize: MAX_FILE_BYTES,
      // `saveBody` has limited the total size.
      maxTotalSize: Number.POSITIVE_INFINITY,
    });
    return await collectFields(parts, folder);
  } catch (error) {
    if (error instanceof MaxFileSizeExceededError) throw refuse('file_too_large');
    if (error instanceof MultipartParseError) throw malformedBody();
    throw error;
  } finally {
    stream.destroy();
  }
}

/**
 * Finds the inclusive offset of the last byte to parse. A line break after the last boundary is
 * left out, because the parser would mistake it for the start of another part.
 */
async function findLastByteOffset(path: string): Promise<number> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  // Such a short body has no boundary, and the read below needs two bytes.
  if (size < 3) throw malformedBody();
  const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: size - 2 });
  return buffer.toString('latin1') === '\r\n' ? size - 3 : size - 1;
}

async function collectFields(
  parts: AsyncIterable<MultipartPart>,
  folder: string,
): Promise<MultipartFields> {
  const texts = new Map<string, string>();
  const files = new Map<string, UploadedFile[]>();
  let fileNumber = 0;
  for await (const part of parts) {
    const { name, text } = decodePart(part);
    if (text !== undefined) {
      texts.set(name, text);
      if (texts.size > MAX_TEXT_FIELDS) throw refuse('body_too_large');
      continue;
    }
    fileNumber += 1;
    if (fileNumber > MAX_IMAGES) throw refuse('too_many_pictures');
    const path = join(folder, `${fileNumber}`);
    await writeFile(path, part.content);
    files.set(name, [...(files.get(name) ?? []), new UploadedFile(path, part.size)]);
  }
  return Object.fromEntries([...texts, ...files]);
}

/** Decodes the name of a part, and its text; `text` is undefined when the part is a file. */
function decodePart(part: MultipartPart): { name: string; text: string | undefined } {
  try {
    const { name, isText, size } = part;
    if (isText && size > MAX_TEXT_FIELD_BYTES) throw refuse('body_too_large');
    if (name === undefined) throw malformedBody();
    return { name, text: isText ? part.text : undefined };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The getters of a part decode its bytes, and throw when these are malformed.
    throw malformedBody();
  }
}

function malformedBody(): InvalidRequest {
  const msg = 'Not valid multipart form data';
  return new InvalidRequest([{ type: 'multipart_invalid', loc: ['body'], msg }]);
}
