/** Receives multipart uploads: each file goes straight to the disk, so memory use stays small. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { refuse } from '#domain/refusal.ts';
import { UploadedFile } from '#server/operations/catalogue/store_images.ts';
import type { UploadReservation } from '#server/operations/context.ts';
import { InvalidRequest } from './input.ts';

/** The most pictures that one request may upload. */
export const MAX_IMAGES = 20;

const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 15 * MEGABYTE;
/** For everything in a body except its files: texts, boundaries and headers of parts. */
const MAX_NON_FILE_BYTES = MEGABYTE;
const MAX_TEXT_FIELDS = 20;
const LIMITS = {
  files: MAX_IMAGES,
  fileSize: MAX_FILE_BYTES,
  fields: MAX_TEXT_FIELDS,
  fieldSize: 64 * 1024,
  headerSize: 8 * 1024,
  // One more than all fields and files. Only this limit counts parts without headers.
  parts: MAX_IMAGES + MAX_TEXT_FIELDS + 1,
};
/** The parser is stopped between slices of the body, so that a refused body costs little time. */
const SLICE_BYTES = 16 * 1024;
const MAX_DRAIN_BYTES = 64 * MEGABYTE;
const DRAIN_TIMEOUT_MS = 30_000;
/** So many bytes must arrive in each period. A slower upload is refused, so that others get its disk space. */
const MIN_RATE = { bytes: 480 * 1024, periodMs: 30_000 };

interface ReceiveOptions {
  /**
   * Sets the limit of bytes, and whether a file's `inputPath` has an index. Also with `one`, up to
   * `MAX_IMAGES` small files are received; the schema of the endpoint refuses them.
   */
  readonly imageCount: 'one' | 'several';
  readonly uploadFolder: string;
  /** The disk space of this upload; released after the removal of its files. */
  readonly reservation: UploadReservation;
  readonly cleanup: AsyncDisposableStack;
  /** A slower upload is refused. */
  readonly minRate?: typeof MIN_RATE;
}

/** Each field by name: the list of its files or, if it has no file, its last text. */
type MultipartFields = Record<string, string | UploadedFile[]>;

/**
 * Receives a multipart body; its files go to a new folder below `uploadFolder`. Disposing of
 * `cleanup` removes that folder. Parts without a valid `Content-Disposition` are ignored.
 * @throws Refusal `wrong_media_type`, `file_too_large`, `upload_too_large`, `upload_stalled`,
 *   `uploads_full`, `too_many_pictures`, `body_too_large`
 * @throws InvalidRequest when the body is malformed
 */
export async function receiveMultipart(
  request: Request,
  { imageCount, uploadFolder, reservation, cleanup, minRate = MIN_RATE }: ReceiveOptions,
): Promise<MultipartFields> {
  // Before the first refusal, which must give the reservation back too.
  cleanup.defer(reservation.release);
  const contentType = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data(?:;|$)/i.test(contentType.trim())) throw refuse('wrong_media_type');
  const maxFilesBytes = (imageCount === 'one' ? 1 : MAX_IMAGES) * MAX_FILE_BYTES;
  const maxBodyBytes = maxFilesBytes + MAX_NON_FILE_BYTES;
  const sizeRefusal = imageCount === 'one' ? 'file_too_large' : 'upload_too_large';
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBodyBytes) throw refuse(sizeRefusal);
  const parser = createParser(contentType);
  if (!request.body) throw malformedBody();

  const folder = join(uploadFolder, randomUUID());
  // A failed removal is ignored, because our server removes leftover folders when it starts.
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Aborted with the first error, which stops all streams, and is thrown once nothing is being written.
  const controller = new AbortController();
  let bytesOfPeriod = 0;
  // Each period counts alone: an average would let a fast start hold its space for hours.
  const rateTimer = setInterval(() => {
    if (bytesOfPeriod < minRate.bytes) controller.abort(refuse('upload_stalled'));
    bytesOfPeriod = 0;
  }, minRate.periodMs);
  const onBytes = (bytes: number, totalBytes: number) => {
    bytesOfPeriod += bytes;
    if (totalBytes > maxBodyBytes) throw refuse(sizeRefusal);
    reservation.add(bytes);
  };
  try {
    const body = readSlices(request.body, onBytes, controller);
    const { texts, targets } = await parseBody(body, parser, folder, controller);
    const files = Array.from(
      targets,
      ([name, list]) => [name, toUploadedFiles(name, list, imageCount)] as const,
    );
    return Object.fromEntries([...texts, ...files]);
  } finally {
    clearInterval(rateTimer);
  }
}

function toUploadedFiles(
  field: string,
  targets: readonly WriteStream[],
  imageCount: ReceiveOptions['imageCount'],
): UploadedFile[] {
  return targets.map(({ path, bytesWritten }, index) => {
    const inputPath = imageCount === 'several' ? ['body', field, index] : ['body', field];
    return new UploadedFile(`${path}`, bytesWritten, inputPath);
  });
}

/**
 * Reads and discards the rest of a body, up to `MAX_DRAIN_BYTES`. Call this before an early
 * response: a client reads the response only after it has sent the body.
 * @param timeoutMs limits the whole wait, so that a stalled client cannot hold the request open
 */
export async function drainBody({ body }: Request, timeoutMs = DRAIN_TIMEOUT_MS): Promise<void> {
  // Another reader owns a locked body.
  if (!body || body.locked) return;
  let bytes = 0;
  const discard = new WritableStream<Uint8Array>({
    write(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes >= MAX_DRAIN_BYTES) controller.error(new Error('Too much to discard'));
    },
  });
  // It also fails when the client disconnects: then nobody waits for a response.
  await body
    .pipeTo(discard, { preventCancel: true, signal: AbortSignal.timeout(timeoutMs) })
    .catch(() => {});
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    // The boundary is missing or too long.
    throw malformedBody();
  }
}

/**
 * Yields a body in slices. Never cancels it, as `drainBody` may have to read the rest.
 * @param onBytes called before new bytes are used; throws to refuse them
 * @param controller aborted with an error of reading, such as a refusal, before the errors that it
 *   causes
 */
async function* readSlices(
  body: ReadableStream<Uint8Array>,
  onBytes: (bytes: number, totalBytes: number) => void,
  controller: AbortController,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // Also ends a read that waits for a stalled client.
  const stop = () => reader.releaseLock();
  controller.signal.addEventListener('abort', stop, { once: true });
  try {
    let bytes = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const chunk = next.value;
      bytes += chunk.byteLength;
      onBytes(chunk.byteLength, bytes);
      for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES)
        yield chunk.subarray(start, start + SLICE_BYTES);
    }
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    stop();
  }
}

/**
 * Writes the files of a body into `folder`.
 * @param controller aborted with the first error, which is then thrown
 * @returns by field: the last text, and the written files
 */
async function parseBody(
  body: AsyncIterable<Uint8Array>,
  parser: BusboyInstance,
  folder: string,
  controller: AbortController,
) {
  const texts = new Map<string, string>();
  const targets = new Map<string, WriteStream[]>();
  const writes: Promise<void>[] = [];
  const { signal } = controller;
  const fail = (error: unknown) => controller.abort(error);

  parser.on('filesLimit', () => fail(refuse('too_many_pictures')));
  parser.on('fieldsLimit', () => fail(refuse('body_too_large')));
  parser.on('partsLimit', () => fail(refuse('body_too_large')));
  parser.on('field', (name, text, _isNameTruncated, isTextTruncated) => {
    if (!isUtf8(name) || !isUtf8(text)) fail(malformedBody());
    else if (isTextTruncated) fail(refuse('body_too_large'));
    else texts.set(name, text);
  });
  parser.on('file', (name, stream, fileName = '') => {
    if (!isUtf8(name) || !isUtf8(fileName)) fail(malformedBody());
    stream.on('limit', () => fail(refuse('file_too_large')));
    const target = createWriteStream(join(folder, `${writes.length + 1}`), { mode: 0o600 });
    targets.set(name, [...(targets.get(name) ?? []), target]);
    writes.push(pipeline(stream, target, { signal }).catch(fail));
  });
  await pipeline(body, parser, { signal }).catch(() => fail(malformedBody()));
  await Promise.all(writes);
  signal.throwIfAborted();
  return { texts, targets };
}

/** The parser replaces bytes that are not UTF-8 with U+FFFD. A name is undefined if it is missing. */
function isUtf8(text: string | undefined): boolean {
  return text !== undefined && !text.includes('\ufffd');
}

function malformedBody(): InvalidRequest {
  const msg = 'Not valid multipart form data';
  return new InvalidRequest([{ type: 'multipart_invalid', loc: ['body'], msg }]);
}
